package dev.millrace.scheduler.packages;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a {@code deno.lock}. */
final class DenoLock {
    /** Name and version; a package that depends on its users has theirs behind an underscore. */
    private static final Pattern PACKAGE = Pattern.compile("(@?[^@]+)@([^_]+).*");

    /** Characters of a hash that tell one version of a file from another. */
    private static final int HASH_CHARS = 12;

    private static final ObjectMapper JSON = new ObjectMapper();

    private DenoLock() {}

    /**
     * The packages by names such as {@code npm:ms}, then the files from addresses with the beginning of their hash in
     * place of a version; none if the lock cannot be read.
     */
    static List<PackageLock.Chosen> packages(String content) {
        List<PackageLock.Chosen> chosen = new ArrayList<>();
        JsonNode lock = read(content);
        for (String registry : List.of("npm", "jsr")) {
            lock.path(registry).fieldNames().forEachRemaining(key -> {
                Matcher matcher = PACKAGE.matcher(key);
                if (matcher.matches()) {
                    chosen.add(new PackageLock.Chosen(registry + ":" + matcher.group(1), matcher.group(2), ""));
                }
            });
        }
        lock.path("remote").properties().forEach(file -> {
            String hash = file.getValue().asText();
            String version = hash.substring(0, Math.min(HASH_CHARS, hash.length()));
            chosen.add(new PackageLock.Chosen(file.getKey(), version, ""));
        });
        return chosen;
    }

    private static JsonNode read(String content) {
        try {
            return JSON.readTree(content);
        } catch (JsonProcessingException unreadable) {
            return JSON.createObjectNode();
        }
    }
}
