# Runs R code as its console would: each value that is not invisible is printed. Whoever includes this defines
# give_up(kind, message, line, column, stack), which does not return.

# What `name` calls itself in messages; its text is `lines`.
read_program <- function(lines, name) {
  source <- srcfilecopy(name, lines, isFile = FALSE)
  tryCatch(parse(text = lines, keep.source = TRUE, srcfile = source, encoding = "UTF-8"), error = function(problem) {
    message <- conditionMessage(problem)
    found <- regmatches(message, regexec(":([0-9]+):([0-9]+): ([^\n]*)", message))[[1]]
    if (length(found) == 4) give_up("syntax", paste("Error:", found[4]), found[2], as.integer(found[3]) + 1L)
    give_up("syntax", message)
  })
}

# The value of the last statement; NULL where it is invisible.
run_all <- function(program, name) {
  references <- attr(program, "srcref")
  # at the top level R takes our own call for the caller
  ours <- "eval(program[[at]], globalenv())"
  last <- NULL
  for (at in seq_along(program)) {
    statement <- references[[at]]
    told <- withCallingHandlers(
      withVisible(eval(program[[at]], globalenv())),
      error = function(problem) {
        calls <- sys.calls()
        place <- place_of(calls, statement, name)
        call <- conditionCall(problem)
        caller <- if (is.null(call)) ours else deparse(call, nlines = 1L)[1]
        where <- if (identical(caller, ours)) "Error" else paste("Error in", caller)
        is_memory <- grepl("cannot allocate (vector|memory)", conditionMessage(problem))
        message <- paste0(where, ": ", conditionMessage(problem))
        give_up(if (is_memory) "memory" else "runtime", message, place$line, place$column, describe_calls(calls))
      },
      warning = function(problem) {
        message("Warning: ", conditionMessage(problem))
        invokeRestart("muffleWarning")
      }
    )
    if (told$visible) show_value(told$value)
    last <- if (told$visible) told$value else NULL
  }
  last
}

# The innermost place in the program's own text, from the calls on the stack; else the statement that was running.
place_of <- function(calls, statement, name) {
  refs <- c(list(statement), lapply(calls, attr, "srcref"))
  own <- Filter(function(ref) !is.null(ref) && identical(attr(ref, "srcfile")$filename, name), refs)
  ref <- own[[length(own)]]
  list(line = ref[1], column = ref[5])
}

describe_calls <- function(calls) {
  texts <- vapply(calls, function(call) paste(deparse(call, nlines = 1L), collapse = ""), "")
  ours <- "^(withCallingHandlers|withVisible|withRestarts|withOneRestart|doWithOneRestart|eval|tryCatch|coherex|run_all|run_cell|serve|sys\\.source|doTryCatch|\\.handleSimpleError|h\\(|local\\(|\\(function|stop\\()"
  paste(rev(texts[!grepl(ours, texts)]), collapse = "\n")
}

error_json <- function(kind, message, line = NULL, column = NULL, stack = NULL) {
  place <- c(
    if (!is.null(line) && !is.na(line)) paste0(",\"line\":", line),
    if (!is.null(column) && !is.na(column)) paste0(",\"column\":", column),
    if (!is.null(stack)) paste0(",\"stack\":", json_string(stack))
  )
  paste0("{\"kind\":\"", kind, "\",\"message\":", json_string(substr(message, 1, 4000)), paste(place, collapse = ""), "}")
}

result_json <- function(value) {
  result <- if (is.null(value)) NULL else tryCatch(json_value(value), error = function(problem) NULL)
  if (is.null(result)) "{\"type\":\"result\"}" else paste0("{\"type\":\"result\",\"value\":", result, "}")
}

show_value <- function(value) {
  if (inherits(value, "data.frame")) {
    plain <- paste(utils::capture.output(print(value, max = 1000)), collapse = "\n")
    forms <- list("text/plain" = json_string(plain), "text/html" = json_string(frame_html(value)))
    # HTML is for who cannot show a table; a frame that is no plain columns has no rows in JSON
    forms[["application/vnd.coherex.frame+json"]] <- tryCatch(json_table(value, 0, 1000, 100000), error = function(problem) NULL)
    channel_display(forms)
  } else if (isS4(value)) {
    methods::show(value)
  } else {
    print(value)
  }
}

frame_html <- function(frame) {
  escape <- function(text) gsub(">", "&gt;", gsub("<", "&lt;", gsub("&", "&amp;", as.character(text), fixed = TRUE), fixed = TRUE), fixed = TRUE)
  shown <- utils::head(frame, 100)
  cells <- vapply(shown, function(column) escape(format(column)), character(nrow(shown)))
  cells <- matrix(cells, nrow = nrow(shown))
  rows <- vapply(seq_len(nrow(shown)), function(row) {
    paste0("<tr><th>", escape(rownames(shown)[row]), "</th>", paste0("<td>", cells[row, ], "</td>", collapse = ""), "</tr>")
  }, "")
  head <- paste0("<tr><th></th>", paste0("<th>", escape(names(frame)), "</th>", collapse = ""), "</tr>")
  paste0("<table><thead>", head, "</thead><tbody>", paste(rows, collapse = ""), "</tbody></table><p>", nrow(frame), " rows</p>")
}

# What the program asks for is its own command line, and nothing opens a window.
prepare_console <- function(arguments) {
  own <- list(commandArgs = function(trailingOnly = FALSE) if (trailingOnly) arguments else c("R", arguments))
  attach(own, name = "coherex", warn.conflicts = FALSE)
  options(warn = 1, width = 100, encoding = "UTF-8", menu.graphics = FALSE, browser = "false", pdfviewer = "false")
}
