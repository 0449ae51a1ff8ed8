# Values as JSON, for what crosses the pipe. R has none of its own.

json_string <- function(text) {
  text <- enc2utf8(as.character(text))
  text <- gsub("\\", "\\\\", text, fixed = TRUE)
  text <- gsub("\"", "\\\"", text, fixed = TRUE)
  text <- gsub("\n", "\\n", text, fixed = TRUE)
  text <- gsub("\r", "\\r", text, fixed = TRUE)
  text <- gsub("\t", "\\t", text, fixed = TRUE)
  text <- gsub("[\001-\037\177]", "\\\\ufffd", text)
  paste0("\"", text, "\"")
}

json_number <- function(value) {
  if (!is.finite(value)) return("null")
  short <- format(value, digits = 15, scientific = NA)
  if (as.numeric(short) == value) short else format(value, digits = 17)
}

# A value with nothing to say in JSON, such as a function or a model, is NULL here: it was printed, and that is all.
json_value <- function(value, depth = 0) {
  if (is.null(value)) return("null")
  if (depth > 50) return(NULL)
  if (inherits(value, "data.frame")) return(json_frame(value, depth))
  if (is.factor(value)) value <- stats::setNames(as.character(value), names(value))
  if (inherits(value, "Date")) value <- stats::setNames(format(value, "%Y-%m-%d"), names(value))
  if (inherits(value, "POSIXt")) value <- stats::setNames(format(as.POSIXct(value), "%Y-%m-%dT%H:%M:%SZ", tz = "UTC"), names(value))
  if (is.list(value) && (is.null(attr(value, "class")))) return(json_list(value, depth))
  if (!is.atomic(value) || is.complex(value) || is.raw(value)) return(NULL)
  if (!is.null(dim(value)) && length(dim(value)) == 2) {
    rows <- lapply(seq_len(nrow(value)), function(row) unname(value[row, ]))
    return(json_join(vapply(rows, function(row) json_vector(row), ""), "[", "]"))
  }
  if (length(value) == 1 && is.null(names(value))) json_atom(value) else json_vector(value)
}

json_atom <- function(one) {
  if (is.na(one)) return("null")
  if (is.logical(one)) return(if (one) "true" else "false")
  if (is.numeric(one)) return(json_number(as.numeric(one)))
  json_string(one)
}

json_vector <- function(value) {
  parts <- vapply(unname(as.list(value)), json_atom, "")
  json_named(parts, names(value))
}

json_list <- function(value, depth) {
  parts <- lapply(unname(value), json_value, depth = depth + 1)
  parts[vapply(parts, is.null, TRUE)] <- "null"
  json_named(unlist(parts, use.names = FALSE), names(value))
}

json_named <- function(parts, names) {
  if (is.null(names)) return(json_join(parts, "[", "]"))
  json_join(paste0(json_string(names), ":", parts), "{", "}")
}

json_frame <- function(frame, depth) {
  frame <- utils::head(frame, 1000)
  rows <- lapply(seq_len(nrow(frame)), function(row) {
    json_list(lapply(as.list(frame), function(column) if (is.list(column)) column[[row]] else column[row]), depth + 1)
  })
  json_join(unlist(rows), "[", "]")
}

# A page of a frame with the types of its columns; with `most`, as many of its rows as have so many characters.
json_table <- function(frame, offset, limit, most = Inf) {
  page <- utils::head(utils::tail(frame, max(0, nrow(frame) - offset)), limit)
  columns <- vapply(names(frame), function(one) paste0("{\"name\":", json_string(one), ",\"type\":", json_string(class(frame[[one]])[1]), "}"), "")
  rows <- vapply(seq_len(nrow(page)), function(row) json_value(unname(lapply(page, function(column) column[row]))), "")
  rows <- rows[cumsum(nchar(rows)) <= most]
  paste0("{\"columns\":", json_join(unname(columns), "[", "]"), ",\"rows\":", json_join(rows, "[", "]"), ",\"offset\":", offset, ",\"total\":", nrow(frame), "}")
}

json_join <- function(parts, open, close) {
  if (length(parts) == 0) return(paste0(open, close))
  paste0(open, paste(parts, collapse = ","), close)
}
