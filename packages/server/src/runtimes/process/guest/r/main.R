# Runs an R program as its console would: each value that is not invisible is printed, the last one is the result.

coherex <- local({
  for (part in c("json.R", "channel.R", "plots.R", "evaluate.R")) {
    sys.source(file.path("/opt/coherex/r", part), envir = environment())
  }

  given <- commandArgs(trailingOnly = TRUE)
  entry <- given[1]

  give_up <- function(kind, ...) {
    if (kind != "syntax") plots_finish()
    flush(stdout())
    channel_send(paste0("{\"type\":\"error\",\"error\":", error_json(kind, ...), "}"))
    quit(save = "no", status = 1, runLast = FALSE)
  }

  list(
    run = function() {
      prepare_console(given[-1])
      channel_receive()
      plots_install()
      lines <- readLines(entry, warn = FALSE, encoding = "UTF-8")
      last <- run_all(read_program(lines, entry), entry)
      plots_finish()
      flush(stdout())
      channel_send(result_json(last))
    }
  )
})
coherex$run()
