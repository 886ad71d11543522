package dev.millrace.cli;

import dev.millrace.cli.output.Terminal;

/** Starts the command line. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Terminal terminal = Terminal.system();
        terminal.guardStandardError();
        System.exit(new Cli(terminal).execute(args));
    }
}
