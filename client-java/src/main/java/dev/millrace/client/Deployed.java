package dev.millrace.client;

import java.util.List;

/**
 * A version of a script or flow that was stored.
 *
 * @param path path by which callers start it
 * @param hash hash of the version
 * @param warnings parts of a flow's definition that have no effect
 */
public record Deployed(String path, String hash, List<String> warnings) {
    public Deployed {
        warnings = List.copyOf(warnings);
    }
}
