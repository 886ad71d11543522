package dev.millrace.cli;

import dev.millrace.cli.output.Terminal;

public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Terminal terminal = Terminal.system();
        terminal.guardStandardError();
        System.exit(new Cli(terminal).execute(args));
    }
}
