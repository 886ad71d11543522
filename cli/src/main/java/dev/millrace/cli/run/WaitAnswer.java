package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.millrace.cli.client.Json;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of every command that brings something to a run that waits: what, and who. */
final class WaitAnswer {
    @Option(
            names = "--data",
            paramLabel = "JSON",
            description = "What comes with it: JSON, or text where it is no JSON (default: null).")
    private @Nullable String data;

    @Option(
            names = "--actor",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name:-}",
            description = "Who (default: the name of your account).")
    private String actor = "";

    /** A request body that says so. */
    ObjectNode body() {
        ObjectNode body = Json.object().put("actor", actor);
        String text = data;
        if (text != null) {
            body.set("payload", Json.parse(text).orElseGet(() -> TextNode.valueOf(text)));
        }
        return body;
    }
}
