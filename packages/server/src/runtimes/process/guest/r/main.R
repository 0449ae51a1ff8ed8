# Runs an R program as its console would: each value that is not invisible is printed, the last one is the result.

coherex <- local({
  folder <- "/opt/coherex/r"
  for (part in c("json.R", "channel.R", "plots.R")) sys.source(file.path(folder, part), envir = environment())

  given <- commandArgs(trailingOnly = TRUE)
  entry <- given[1]
  last <- NULL

  fail <- function(kind, message, line = NULL, column = NULL, stack = NULL) {
    place <- c(
      if (!is.null(line) && !is.na(line)) paste0(",\"line\":", line),
      if (!is.null(column) && !is.na(column)) paste0(",\"column\":", column),
      if (!is.null(stack)) paste0(",\"stack\":", json_string(stack))
    )
    body <- paste0("{\"kind\":\"", kind, "\",\"message\":", json_string(substr(message, 1, 4000)), paste(place, collapse = ""), "}")
    flush(stdout())
    channel_send(paste0("{\"type\":\"error\",\"error\":", body, "}"))
    quit(save = "no", status = 1, runLast = FALSE)
  }

  read_program <- function() {
    tryCatch(parse(entry, keep.source = TRUE, encoding = "UTF-8"), error = function(problem) {
      message <- conditionMessage(problem)
      found <- regmatches(message, regexec(":([0-9]+):([0-9]+): ([^\n]*)", message))[[1]]
      if (length(found) == 4) fail("syntax", paste("Error:", found[4]), found[2], as.integer(found[3]) + 1L)
      fail("syntax", message)
    })
  }

  # The innermost place in the program's own file, from the calls on the stack; else the statement that was running.
  place_of <- function(calls, statement) {
    refs <- c(list(statement), lapply(calls, attr, "srcref"))
    own <- Filter(function(ref) !is.null(ref) && identical(basename(attr(ref, "srcfile")$filename), basename(entry)), refs)
    ref <- own[[length(own)]]
    list(line = ref[1], column = ref[5])
  }

  describe_calls <- function(calls) {
    texts <- vapply(calls, function(call) paste(deparse(call, nlines = 1L), collapse = ""), "")
    ours <- grepl("^(withCallingHandlers|withVisible|eval|tryCatch|coherex|run_all|sys\\.source|doTryCatch|\\.handleSimpleError|h\\(|local\\(|\\(function|stop\\()", texts)
    paste(rev(texts[!ours]), collapse = "\n")
  }

  show_value <- function(value) {
    if (inherits(value, "data.frame")) {
      plain <- paste(utils::capture.output(print(value, max = 1000)), collapse = "\n")
      channel_display(list("text/plain" = json_string(plain), "text/html" = json_string(frame_html(value))))
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

  run_all <- function(program) {
    references <- attr(program, "srcref")
    for (at in seq_along(program)) {
      statement <- references[[at]]
      told <- withCallingHandlers(
        withVisible(eval(program[[at]], globalenv())),
        error = function(problem) {
          calls <- sys.calls()
          place <- place_of(calls, statement)
          call <- conditionCall(problem)
          where <- if (is.null(call)) "Error" else paste("Error in", deparse(call, nlines = 1L)[1])
          message <- paste0(where, ": ", conditionMessage(problem))
          plots_finish()
          is_memory <- grepl("cannot allocate (vector|memory)", conditionMessage(problem))
          fail(if (is_memory) "memory" else "runtime", message, place$line, place$column, describe_calls(calls))
        },
        warning = function(problem) {
          message("Warning: ", conditionMessage(problem))
          invokeRestart("muffleWarning")
        }
      )
      if (told$visible) show_value(told$value)
      last <<- if (told$visible) told$value else NULL
    }
  }

  list(
    run = function() {
      # what the program asks for is its own command line
      arguments <- given[-1]
      attach(list(commandArgs = function(trailingOnly = FALSE) if (trailingOnly) arguments else c("R", arguments)), name = "coherex", warn.conflicts = FALSE)
      options(warn = 1, width = 100, encoding = "UTF-8", menu.graphics = FALSE, browser = "false", pdfviewer = "false")
      channel_receive()
      plots_install()
      run_all(read_program())
      plots_finish()
      result <- if (is.null(last)) NULL else tryCatch(json_value(last), error = function(problem) NULL)
      flush(stdout())
      channel_send(if (is.null(result)) "{\"type\":\"result\"}" else paste0("{\"type\":\"result\",\"value\":", result, "}"))
    }
  )
})
coherex$run()
