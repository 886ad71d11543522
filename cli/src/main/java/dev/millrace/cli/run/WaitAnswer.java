package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.millrace.cli.client.Json;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of commands that send an answer or a signal to a waiting run: its data and the sender. */
final class WaitAnswer {
    @Option(
            names = "--payload",
            paramLabel = "JSON",
            description = "Data to send: JSON, or text if it is not JSON (default: null).")
    private @Nullable String data;

    @Option(
            names = "--actor",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name:-}",
            description = "Sender, for the record (default: the name of your account).")
    private String actor = "";

    /** A request body with data and actor. */
    ObjectNode body() {
        ObjectNode body = Json.object().put("actor", actor);
        String text = data;
        if (text != null) {
            body.set("payload", Json.parse(text).orElseGet(() -> TextNode.valueOf(text)));
        }
        return body;
    }
}
