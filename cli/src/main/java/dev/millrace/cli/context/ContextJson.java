package dev.millrace.cli.context;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.client.Json;

/** Contexts as JSON, without their tokens. */
final class ContextJson {
    private ContextJson() {}

    static ObjectNode of(Contexts contexts, String name) {
        Context context = contexts.require(name);
        ObjectNode json = Json.object();
        json.put("name", name);
        json.put("current", contexts.current().filter(name::equals).isPresent());
        json.put("server", context.server().toString());
        context.workspace().ifPresent(workspace -> json.put("workspace", workspace));
        json.put("has_token", context.token().isPresent());
        context.caFile().ifPresent(file -> json.put("ca_file", file.toString()));
        return json;
    }
}
