package dev.millrace.worker.internal.packages;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a {@code deno.lock}, which has a hash for each package and each file. */
final class DenoLock {
    /** Name and version; a package that depends on its users has theirs behind an underscore. */
    private static final Pattern PACKAGE = Pattern.compile("(@?[^@]+)@([^_]+).*");

    /** Characters of a hash that tell one version of a file from another. */
    private static final int HASH_CHARS = 12;

    private static final ObjectMapper JSON = new ObjectMapper();

    private DenoLock() {}

    /** Versions by names such as {@code npm:ms}; imports from addresses have the beginning of their hash. */
    static Map<String, String> versions(SetLock deno) throws PackageException {
        Map<String, String> versions = new TreeMap<>();
        JsonNode lock = read(deno.text());
        for (String registry : new String[] {"npm", "jsr"}) {
            lock.path(registry).fieldNames().forEachRemaining(key -> {
                Matcher matcher = PACKAGE.matcher(key);
                if (matcher.matches()) {
                    versions.put(registry + ":" + matcher.group(1), matcher.group(2));
                }
            });
        }
        lock.path("remote").properties().forEach(file -> {
            String hash = file.getValue().asText();
            versions.put(file.getKey(), hash.substring(0, Math.min(HASH_CHARS, hash.length())));
        });
        return versions;
    }

    /**
     * Checks a lock, which may come from another worker or from a time with other settings.
     *
     * @throws PackageException if it names a module of a host from which the script may not import
     */
    static void check(SetLock lock, ImportHosts imports) throws PackageException {
        JsonNode text = read(lock.text());
        for (Map.Entry<String, JsonNode> file : text.path("remote").properties()) {
            imports.check(file.getKey());
        }
        for (Map.Entry<String, JsonNode> redirect : text.path("redirects").properties()) {
            imports.check(redirect.getKey());
            imports.check(redirect.getValue().asText());
        }
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
