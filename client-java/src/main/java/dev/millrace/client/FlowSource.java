package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * The definition of a flow with the scripts that it names.
 *
 * @param definition the definition
 * @param fileName its name, for messages and to tell JSON from YAML
 * @param path path of the flow; empty means the name in the definition
 * @param files contents of scripts by the relative paths that the definition names; others must be deployed already
 */
public record FlowSource(String definition, String fileName, String path, Map<String, String> files) {
    public FlowSource {
        requireNonNull(definition, "definition");
        requireNonNull(fileName, "fileName");
        requireNonNull(path, "path");
        files = Map.copyOf(files);
    }

    /** A definition in YAML whose scripts are deployed already, or part of it. */
    public static FlowSource of(String definition) {
        return new FlowSource(definition, "flow.yaml", "", Map.of());
    }

    public FlowSource withFileName(String name) {
        return new FlowSource(definition, name, path, files);
    }

    public FlowSource withPath(String flowPath) {
        return new FlowSource(definition, fileName, flowPath, files);
    }

    public FlowSource withFiles(Map<String, String> contents) {
        return new FlowSource(definition, fileName, path, contents);
    }
}
