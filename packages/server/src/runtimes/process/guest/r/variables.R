# What a session holds, told by name, type, short value, size and shape; one in full or by pages of a table.

variable_json <- function(name, more = character()) {
  value <- get(name, envir = globalenv())
  shape <- if (!is.null(dim(value))) dim(value) else if (is.vector(value)) length(value)
  brief <- tryCatch(paste(utils::capture.output(utils::str(value, give.head = FALSE, max.level = 0)), collapse = " "), error = function(problem) "")
  parts <- c(
    paste0("\"name\":", json_string(name)),
    paste0("\"type\":", json_string(class(value)[1])),
    paste0("\"value\":", json_string(substr(trimws(brief), 1, 200))),
    paste0("\"size\":", json_number(as.numeric(utils::object.size(value)))),
    if (!is.null(shape)) paste0("\"shape\":", json_vector(unname(shape))),
    more
  )
  json_join(parts, "{", "}")
}

variables_json <- function() {
  items <- vapply(ls(globalenv()), variable_json, "")
  paste0("{\"type\":\"variables\",\"items\":", json_join(unname(items), "[", "]"), "}")
}

page_json <- function(name, offset, limit) {
  if (!exists(name, envir = globalenv(), inherits = FALSE)) return("{\"type\":\"variable\"}")
  value <- get(name, envir = globalenv())
  more <- if (inherits(value, "data.frame")) {
    paste0("\"table\":", json_table(value, offset, limit))
  } else {
    paste0("\"text\":", json_string(substr(paste(utils::capture.output(print(value)), collapse = "\n"), 1, 100000)))
  }
  paste0("{\"type\":\"variable\",\"variable\":", variable_json(name, more), "}")
}
