package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.client.Json;
import picocli.CommandLine.Option;

/** Options of commands that operate on a run: who does it and why. */
final class OperationNote {
    @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "Why, for the record.")
    private String reason = "";

    @Option(
            names = "--actor",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name:-}",
            description = "Who, for the record (default: the name of your account).")
    private String actor = "";

    /** A request body with reason and actor. */
    ObjectNode body() {
        return Json.object().put("reason", reason).put("actor", actor);
    }
}
