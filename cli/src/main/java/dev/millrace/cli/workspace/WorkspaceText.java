package dev.millrace.cli.workspace;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.client.ApiPath;
import dev.millrace.cli.client.Connection;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.output.ControlCharacters;
import dev.millrace.cli.output.Times;
import java.util.ArrayList;
import java.util.List;

/** Addresses of workspaces, and their description to people. */
final class WorkspaceText {
    static final ApiPath WORKSPACES = ApiPath.shared("/workspaces");
    static final String NAME = "Name of the workspace.";

    private WorkspaceText() {}

    static ApiPath path(String name) {
        return WORKSPACES.child(Connection.requireName(name));
    }

    static String isolated(JsonNode workspace) {
        return workspace.path("isolated").asBoolean() ? "yes" : "no";
    }

    static List<String> lines(JsonNode workspace) {
        List<String> lines = new ArrayList<>();
        lines.add("Workspace " + Json.text(workspace, "name") + " is " + Json.text(workspace, "state") + ".");
        add(lines, "Description:  ", Json.text(workspace, "description"));
        add(lines, "Isolated:     ", isolated(workspace));
        add(lines, "Former names: ", names(workspace));
        add(lines, "Created:      ", Times.text(Json.text(workspace, "create_time")));
        add(lines, "Created by:   ", Json.text(workspace, "created_by"));
        add(lines, "Archived:     ", Times.text(Json.text(workspace, "archive_time")));
        add(lines, "Deleting:     ", Times.text(Json.text(workspace, "delete_time")));
        return lines.stream().map(ControlCharacters::line).toList();
    }

    private static String names(JsonNode workspace) {
        return String.join(
                ", ",
                workspace
                        .path("former_names")
                        .valueStream()
                        .map(JsonNode::asText)
                        .toList());
    }

    private static void add(List<String> lines, String label, String value) {
        if (!value.isEmpty()) {
            lines.add(label + value);
        }
    }
}
