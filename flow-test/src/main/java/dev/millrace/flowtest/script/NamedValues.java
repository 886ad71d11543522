package dev.millrace.flowtest.script;

import dev.millrace.scheduler.queue.core.Json;
import java.util.Map;

/**
 * The secrets and resources that a test gives to scripts, by their paths.
 *
 * @param secrets their texts
 * @param resources their values, with all secrets in them
 */
public record NamedValues(Map<String, String> secrets, Map<String, Json> resources) {
    public static final NamedValues NONE = new NamedValues(Map.of(), Map.of());

    public NamedValues {
        secrets = Map.copyOf(secrets);
        resources = Map.copyOf(resources);
    }

    /** The record may be shown in failures; the texts stay out of them. */
    @Override
    public String toString() {
        return "NamedValues" + secrets.keySet() + resources.keySet();
    }
}
