package dev.millrace.cli.local;

import java.nio.file.Path;

/** A process that starts a Postgres and ends as if it were killed. */
final class AbandoningProcess {
    static final int EXIT_CODE = 77;

    private AbandoningProcess() {}

    public static void main(String[] arguments) {
        EmbeddedDatabase.persistent(DataFolderLock.acquire(Path.of(arguments[0])), Path.of(arguments[1]));
        Runtime.getRuntime().halt(EXIT_CODE);
    }
}
