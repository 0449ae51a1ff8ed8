# the files of this workspace, and how many lines each has
find . -type f -not -path './.*' | sort | while read -r file; do
  printf '%5d  %s\n' "$(wc -l < "$file")" "${file#./}"
done
