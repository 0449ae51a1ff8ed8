# The pipes to the driver: four bytes of length, then JSON. See runtimes/protocol.

channel <- local({
  descriptors <- strsplit(Sys.getenv("COHEREX_FD"), ",", fixed = TRUE)[[1]]
  Sys.unsetenv("COHEREX_FD")
  list(
    input = file(paste0("/dev/fd/", descriptors[1]), "rb", raw = TRUE),
    output = file(paste0("/dev/fd/", descriptors[2]), "wb", raw = TRUE)
  )
})

channel_send <- function(json) {
  body <- charToRaw(enc2utf8(json))
  writeBin(length(body), channel$output, size = 4L, endian = "big")
  writeBin(body, channel$output)
  flush(channel$output)
}

channel_receive <- function() {
  size <- readBin(channel$input, "integer", size = 4L, endian = "big")
  rawToChar(readBin(channel$input, "raw", n = size))
}

# What is shown has its place among what is printed, so the program waits until it has been taken.
channel_display <- function(bundle) {
  flush(stdout())
  parts <- vapply(names(bundle), function(mime) paste0(json_string(mime), ":", bundle[[mime]]), "")
  channel_send(paste0("{\"type\":\"display\",\"answer\":true,\"data\":", json_join(unname(parts), "{", "}"), "}"))
  channel_receive()
  invisible()
}
