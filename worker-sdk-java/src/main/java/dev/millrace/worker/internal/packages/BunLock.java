package dev.millrace.worker.internal.packages;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Reads a {@code bun.lock}, which has a hash for each package. */
final class BunLock {
    /** Its lists end with a comma. */
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(JsonReadFeature.ALLOW_TRAILING_COMMA).build();

    /** A version that a registry has; anything else is a file, a folder, a repository or an address. */
    private static final Pattern VERSION = Pattern.compile("[0-9][0-9A-Za-z.+-]*");

    /** Versions that fit, perhaps of a package with another name; no file, address or repository. */
    private static final Pattern RANGE =
            Pattern.compile("(?:npm:@?[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)?@)?[A-Za-z0-9.^~<>=*| +-]*");

    private static final Set<String> PROJECT_KEYS = Set.of(
            "name",
            "version",
            "private",
            "type",
            "dependencies",
            "devDependencies",
            "optionalDependencies",
            "overrides");

    private BunLock() {}

    /**
     * Checks a lock, which may come with a script, or from another worker, and which has what packages require of each other.
     *
     * @throws PackageException if a package comes from elsewhere than a registry
     */
    static void check(SetLock lock) throws PackageException {
        for (Map.Entry<String, JsonNode> entry :
                read(lock.text()).path("packages").properties()) {
            String chosen = entry.getValue().path(0).asText();
            int at = chosen.indexOf('@', 1);
            if (at < 0 || !VERSION.matcher(chosen.substring(at + 1)).matches()) {
                throw new PackageException(
                        "This worker does not install \"" + chosen
                                + "\", which the lock of the script's packages names: packages"
                                + " for Bun come from the registry of npm, and not from files, repositories or addresses.",
                        false);
            }
        }
    }

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

    /**
     * Checks the project that belongs to a lock of Windmill.
     *
     * @throws PackageException if it asks for more than versions of packages
     */
    static void checkProject(String project) throws PackageException {
        for (Map.Entry<String, JsonNode> entry : read(project).properties()) {
            if (!PROJECT_KEYS.contains(entry.getKey())) {
                throw new PackageException(
                        "This worker does not obey \"" + entry.getKey() + "\" of the package.json in the script's lock."
                                + " Leave it out; it obeys " + String.join(", ", new TreeSet<>(PROJECT_KEYS)) + ".",
                        false);
            }
            for (Map.Entry<String, JsonNode> one : entry.getValue().properties()) {
                if (!one.getValue().isTextual()
                        || !RANGE.matcher(one.getValue().asText()).matches()) {
                    throw new PackageException(
                            "This worker does not install " + one.getKey() + " from " + one.getValue()
                                    + ", which the package.json in the script's lock names: packages for Bun have versions,"
                                    + " and come from the registry of npm.",
                            false);
                }
            }
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
