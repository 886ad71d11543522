# Sets terminal_flag to what the command line is told of the terminal, empty where standard output is none. It prints nothing, as in $(...) standard
# output never is a terminal.
millrace_find_terminal() {
  terminal_flag=""
  [ -t 1 ] || return 0
  size=$(stty size </dev/tty 2>/dev/null) || size="24 80"
  terminal_flag="-Dmillrace.terminal=${size% *}x${size#* }"
}
