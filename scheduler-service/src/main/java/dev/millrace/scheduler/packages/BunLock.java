package dev.millrace.scheduler.packages;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads a {@code bun.lock}. */
final class BunLock {
    /** Its lists end with a comma. */
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(JsonReadFeature.ALLOW_TRAILING_COMMA).build();

    private BunLock() {}

    /** The packages by names such as {@code npm:ms}, each version once; none if the lock cannot be read. */
    static List<PackageLock.Chosen> packages(String content) {
        Set<PackageLock.Chosen> chosen = new LinkedHashSet<>();
        for (JsonNode entry : read(content).path("packages")) {
            String one = entry.path(0).asText();
            int at = one.lastIndexOf('@');
            if (at > 0) {
                chosen.add(new PackageLock.Chosen("npm:" + one.substring(0, at), one.substring(at + 1), ""));
            }
        }
        return List.copyOf(chosen);
    }

    private static JsonNode read(String content) {
        try {
            return JSON.readTree(content);
        } catch (JsonProcessingException unreadable) {
            return JSON.createObjectNode();
        }
    }
}
