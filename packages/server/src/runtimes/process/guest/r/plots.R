# Plots become PNG files, one for each page, and are shown as soon as the page is full.

plots <- new.env()
plots$folder <- "/tmp/.coherex-build/plots"
plots$shown <- character()

plots_install <- function() {
  dir.create(plots$folder, recursive = TRUE, showWarnings = FALSE)
  options(device = function(...) {
    # 7 by 5 inches, as a notebook shows them, on screens of twice the density
    grDevices::png(file.path(plots$folder, "plot%04d.png"), width = 7, height = 5, units = "in", res = 144, type = "cairo")
    plots$device <- grDevices::dev.cur()
  })
  for (hook in c("before.plot.new", "before.grid.newpage")) setHook(hook, function(...) plots_show(), "append")
}

# A page is written when the next one begins or its device is closed.
plots_show <- function() {
  files <- setdiff(sort(list.files(plots$folder, full.names = TRUE)), plots$shown)
  for (path in files) {
    size <- file.size(path)
    if (is.na(size) || size == 0) next
    plots$shown <- c(plots$shown, path)
    bytes <- readBin(path, "raw", n = size)
    channel_display(list("text/plain" = "\"<plot>\"", "image/png" = paste0("\"", base64(bytes), "\"")))
    unlink(path)
  }
}

plots_finish <- function() {
  if (!is.null(plots$device) && plots$device %in% grDevices::dev.list()) grDevices::dev.off(plots$device)
  plots_show()
}

base64 <- function(bytes) {
  signs <- c(LETTERS, letters, 0:9, "+", "/")
  missing <- (3 - length(bytes) %% 3) %% 3
  numbers <- as.integer(c(bytes, raw(missing)))
  groups <- matrix(numbers, nrow = 3)
  bits <- groups[1, ] * 65536L + groups[2, ] * 256L + groups[3, ]
  text <- signs[rbind(bits %/% 262144L, bits %/% 4096L %% 64L, bits %/% 64L %% 64L, bits %% 64L) + 1L]
  if (missing > 0) text[length(text) - seq_len(missing) + 1] <- "="
  paste(text, collapse = "")
}
