# An R that lives on: told cell by cell by session.py, in lines of words between tabs.

coherex <- local({
  for (part in c("json.R", "channel.R", "plots.R", "evaluate.R", "variables.R")) {
    sys.source(file.path("/opt/coherex/r", part), envir = environment())
  }

  give_up <- function(...) {
    channel_send(paste0("{\"type\":\"error\",\"error\":", error_json(...), "}"))
    invokeRestart("coherex_end")
  }

  # asks whoever runs the cell; without anybody the answer is empty, as R has it
  attach(list(readline = function(prompt = "") {
    flush(stdout())
    channel_send(paste0("{\"type\":\"ask\",\"prompt\":", json_string(prompt), "}"))
    line <- channel_receive()
    # an interrupt that came meanwhile takes effect here, inside the cell
    Sys.sleep(0)
    line
  }), name = "coherex_input", warn.conflicts = FALSE)

  run_cell <- function(name, path) {
    last <- NULL
    is_whole <- FALSE
    was_interrupted <- tryCatch({
      withRestarts({
        last <- allowInterrupts(run_all(read_program(readLines(path, warn = FALSE, encoding = "UTF-8"), name), name))
        is_whole <- TRUE
      }, coherex_end = function() NULL)
      FALSE
    }, interrupt = function(problem) TRUE)
    plots_finish()
    flush(stdout())
    if (was_interrupted) channel_send(paste0("{\"type\":\"error\",\"interrupted\":true,\"error\":", error_json("runtime", "The cell was interrupted"), "}"))
    else if (is_whole) channel_send(result_json(last))
    channel_send("{\"type\":\"cell-done\"}")
  }

  # only a cell can be interrupted: anywhere else an interrupt would end R
  serve <- function() suspendInterrupts(repeat {
    words <- strsplit(channel_receive(), "\t", fixed = TRUE)[[1]]
    # one that came since is for a cell that is over
    tryCatch(allowInterrupts(Sys.sleep(0)), interrupt = function(problem) NULL)
    if (words[1] == "cell") {
      if (nzchar(words[4])) Sys.setenv(COHEREX_INPUT_FILE = words[4]) else Sys.unsetenv("COHEREX_INPUT_FILE")
      run_cell(words[2], words[3])
    } else if (words[1] == "variables") {
      channel_send(variables_json())
    } else if (words[1] == "variable") {
      channel_send(page_json(words[4], as.integer(words[2]), as.integer(words[3])))
    }
  })

  list(serve = function() {
    prepare_console(character())
    plots_install()
    channel_send("{\"type\":\"ready\"}")
    serve()
  })
})
coherex$serve()
