# What the parts that R shares with the server need around them: values leave R through a file that the worker reads.

channel_send <- function(json) {
  writeLines(enc2utf8(json), "/tmp/.coherex-message", useBytes = TRUE)
  webr::eval_js("coherexMessage()")
  invisible()
}

channel_display <- function(bundle) {
  parts <- vapply(names(bundle), function(mime) paste0(json_string(mime), ":", bundle[[mime]]), "")
  channel_send(paste0("{\"type\":\"display\",\"data\":", json_join(unname(parts), "{", "}"), "}"))
}

give_up <- function(...) {
  channel_send(paste0("{\"type\":\"error\",\"error\":", error_json(...), "}"))
  invokeRestart("coherex_end")
}

on_server <- function(what) function(...) stop(what, " does not work in the browser: run the block on the server.", call. = FALSE)

prepare <- function() {
  prepare_console(character())
  options(device = function(...) webr::canvas(width = 504, height = 360, capture = TRUE))
  attach(list(
    readline = on_server("readline()"),
    install.packages = on_server("install.packages()"),
    q = on_server("q()"),
    quit = on_server("quit()")
  ), name = "coherex_browser", warn.conflicts = FALSE)
}

run_block <- function() {
  withRestarts({
    lines <- readLines("/tmp/.coherex-block", warn = FALSE, encoding = "UTF-8")
    last <- run_all(read_program(lines, "block.R"), "block.R")
    channel_send(result_json(last))
  }, coherex_end = function() NULL)
  grDevices::graphics.off()
  invisible()
}

look <- function(name, offset, limit) {
  channel_send(if (nzchar(name)) page_json(name, offset, limit) else variables_json())
}
