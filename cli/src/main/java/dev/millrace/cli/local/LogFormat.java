package dev.millrace.cli.local;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** How services write their logs. */
enum LogFormat {
    /** Lines for people. */
    TEXT,
    /** One JSON object a line, for programs. */
    JSON;

    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");
    private static final List<String> TERMINALS = List.of("/dev/pts/", "/dev/tty");

    /**
     * The format that a setting names.
     *
     * @param setting {@code text}, {@code json} or {@code auto}, which means text on a terminal and JSON elsewhere
     * @throws IllegalArgumentException if it names none
     */
    static LogFormat of(String setting) {
        return switch (setting) {
            case "text" -> TEXT;
            case "json" -> JSON;
            case "auto" -> isTerminal() ? TEXT : JSON;
            default ->
                throw new IllegalArgumentException(
                        "MILLRACE_LOG_FORMAT: " + setting + " (expected: text, json or auto)");
        };
    }

    /** Whether the standard error of this process is a terminal. */
    private static boolean isTerminal() {
        if (Files.exists(STANDARD_ERROR)) {
            try {
                String target = Files.readSymbolicLink(STANDARD_ERROR).toString();
                return TERMINALS.stream().anyMatch(target::startsWith);
            } catch (IOException unknown) {
                return false;
            }
        }
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }
}
