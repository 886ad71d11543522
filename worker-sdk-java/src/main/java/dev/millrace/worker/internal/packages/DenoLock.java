package dev.millrace.worker.internal.packages;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Versions that were chosen for a script for Deno: the content of a {@code deno.lock}, which has a hash for each package
 * and each file.
 */
record DenoLock(String text) {
    /** Name and version; a package that depends on its users has theirs behind an underscore. */
    private static final Pattern PACKAGE = Pattern.compile("(@?[^@]+)@([^_]+).*");

    /** Characters of a hash that tell one version of a file from another. */
    private static final int HASH_CHARS = 12;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Name of the folder with what is locked: scripts with the same lock share it. */
    String folderName() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }

    /** Versions by names such as {@code npm:ms}; imports from addresses have the beginning of their hash. */
    Map<String, String> versions() throws PackageException {
        Map<String, String> versions = new TreeMap<>();
        JsonNode lock = read();
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

    private JsonNode read() throws PackageException {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new PackageException(
                    "The lock of this script's packages is no JSON: " + e.getOriginalMessage(), false);
        }
    }
}
