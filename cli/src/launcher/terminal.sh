# Sets terminal_flag to the flag that describes the terminal to Java; empty if standard output is not a terminal. The
# result cannot be printed, because in $(...) standard output is never a terminal.
millrace_find_terminal() {
  terminal_flag=""
  [ -t 1 ] || return 0
  size=$(stty size </dev/tty 2>/dev/null) || size="24 80"
  terminal_flag="-Dmillrace.terminal=${size% *}x${size#* }"
}
