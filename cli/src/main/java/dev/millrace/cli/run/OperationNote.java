package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.client.Json;
import picocli.CommandLine.Option;

/** Options of every command that does something to a run: why, and who. */
final class OperationNote {
    @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "Why, for the record.")
    private String reason = "";

    @Option(
            names = "--actor",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name:-}",
            description = "Who, for the record (default: the name of your account).")
    private String actor = "";

    /** A request body that says so. */
    ObjectNode body() {
        return Json.object().put("reason", reason).put("actor", actor);
    }
}
