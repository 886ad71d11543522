package dev.millrace.cli.training;

import dev.millrace.cli.Cli;
import dev.millrace.cli.output.Terminal;

/**
 * Walks through what most client commands do, so that the launcher can record the classes they load in a shared archive.
 * Needs no server: nothing listens on the port it asks.
 */
final class ClientTraining {
    private static final String NOBODY = "http://127.0.0.1:1";

    private ClientTraining() {}

    public static void main(String[] args) {
        Cli cli = new Cli(Terminal.system());
        cli.execute("version", "--output", "json");
        cli.execute("--help");
        cli.execute("runs", "list", "--server", NOBODY, "--output", "json");
    }
}
