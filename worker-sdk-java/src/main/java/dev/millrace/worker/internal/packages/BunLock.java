package dev.millrace.worker.internal.packages;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Map;
import java.util.TreeMap;

/** Reads a {@code bun.lock}, which has a hash for each package. */
final class BunLock {
    /** Its lists end with a comma. */
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(JsonReadFeature.ALLOW_TRAILING_COMMA).build();

    private BunLock() {}

    /** Versions by names such as {@code npm:ms}; of a package with several versions, that of the script itself. */
    static Map<String, String> versions(SetLock lock) throws PackageException {
        Map<String, String> versions = new TreeMap<>();
        read(lock.text()).path("packages").properties().forEach(entry -> {
            String chosen = entry.getValue().path(0).asText();
            int at = chosen.lastIndexOf('@');
            if (at > 0) {
                String name = "npm:" + chosen.substring(0, at);
                String version = chosen.substring(at + 1);
                if (("npm:" + entry.getKey()).equals(name)) {
                    versions.put(name, version);
                } else {
                    versions.putIfAbsent(name, version);
                }
            }
        });
        return versions;
    }

    private static JsonNode read(String text) throws PackageException {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new PackageException(
                    "The lock of this script's packages is no JSON: " + e.getOriginalMessage(), false);
        }
    }
}
