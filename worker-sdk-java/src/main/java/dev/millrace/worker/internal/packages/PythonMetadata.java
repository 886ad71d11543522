package dev.millrace.worker.internal.packages;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads what scripts and projects of Python declare in TOML (PEP 723, {@code pyproject.toml}), and writes of it what uv is to
 * see. Of uv's own table, it knows the keys that choose versions; every other one is refused, as it may name files or
 * programs.
 */
final class PythonMetadata {
    /** The block of PEP 723, with the pattern that it defines. */
    private static final Pattern BLOCK = Pattern.compile(
            "(?m)^# /// (?<type>[a-zA-Z0-9-]+)\\s*$(?<content>(?:\\s*\\n#(?: .*)?)*?)\\s*\\n# ///\\s*$");

    /** Keys of uv that only say how versions are chosen. */
    private static final Set<String> CHOICES = Set.of(
            "exclude-newer", "exclude-newer-package", "prerelease", "resolution", "fork-strategy", "index-strategy");

    private static final Set<String> REQUIREMENTS = Set.of("constraint-dependencies", "override-dependencies");
    private static final Set<String> SOURCE_OPTIONS =
            Set.of("rev", "tag", "branch", "subdirectory", "marker", "extra", "group", "lfs");

    private static final TomlMapper TOML = new TomlMapper();

    private final RequirementRule rule;

    PythonMetadata(RequirementRule rule) {
        this.rule = rule;
    }

    /**
     * Reads the block of a script.
     *
     * @throws PackageException if it is none, or names what this worker does not install
     */
    Requirements ofScript(String source) throws PackageException {
        String where = "the metadata of the script (PEP 723)";
        List<String> blocks = BLOCK.matcher(source.replace("\r\n", "\n"))
                .results()
                .filter(block -> block.group(1).equals("script"))
                .map(block -> block.group(2))
                .toList();
        if (blocks.size() != 1) {
            throw new PackageException(
                    "The script has " + blocks.size()
                            + " blocks \"# /// script\" (expected: one, which \"# ///\" ends).",
                    false);
        }
        String content = blocks.get(0)
                .lines()
                .map(line -> line.startsWith("# ") ? line.substring(2) : line.substring(Math.min(1, line.length())))
                .collect(Collectors.joining("\n"));
        return of(read(content, where), where);
    }

    /** Reads a {@code pyproject.toml}. */
    Requirements ofProject(String text) throws PackageException {
        String where = "pyproject.toml";
        JsonNode whole = read(text, where);
        JsonNode project = whole.path("project");
        for (JsonNode dynamic : project.path("dynamic")) {
            if (dynamic.asText().endsWith("dependencies")) {
                throw new PackageException(
                        "The dependencies of " + where
                                + " are dynamic, so that a build would have to say them. List them in it.",
                        false);
            }
        }
        ObjectNode joined = TOML.createObjectNode();
        joined.set("dependencies", project.path("dependencies"));
        if (project.has("requires-python")) {
            joined.set("requires-python", project.get("requires-python"));
        }
        joined.set("tool", whole.path("tool"));
        return of(joined, where);
    }

    private static JsonNode read(String text, String where) throws PackageException {
        try {
            return TOML.readTree(text);
        } catch (JsonProcessingException e) {
            throw new PackageException(where + " cannot be read as TOML: " + e.getOriginalMessage() + ".", false);
        }
    }

    private Requirements of(JsonNode metadata, String where) throws PackageException {
        ObjectNode kept = TOML.createObjectNode();
        boolean addresses = checkAll(metadata.path("dependencies"), where);
        kept.set("dependencies", list(metadata.path("dependencies")));
        if (metadata.path("requires-python").isTextual()) {
            kept.put("requires-python", metadata.get("requires-python").asText());
        }
        JsonNode uv = metadata.path("tool").path("uv");
        ObjectNode table = TOML.createObjectNode();
        for (Map.Entry<String, JsonNode> entry : uv.properties()) {
            addresses |= check(entry.getKey(), entry.getValue(), where);
            table.set(entry.getKey(), entry.getValue());
        }
        if (!table.isEmpty()) {
            kept.putObject("tool").set("uv", table);
        }
        return new Requirements("script.py", block(kept), List.of(), addresses);
    }

    private static JsonNode list(JsonNode items) {
        return items.isArray() ? items : TOML.createArrayNode();
    }

    private static String block(ObjectNode metadata) throws PackageException {
        try {
            return TOML.writeValueAsString(metadata)
                    .lines()
                    .map(line -> line.isEmpty() ? "#" : "# " + line)
                    .collect(Collectors.joining("\n", "# /// script\n", "\n# ///\n"));
        } catch (JsonProcessingException e) {
            throw new PackageException("The list of packages cannot be written: " + e.getOriginalMessage(), false);
        }
    }

    /** Returns whether one of the requirements has an address. */
    private boolean checkAll(JsonNode requirements, String where) throws PackageException {
        boolean addresses = false;
        for (JsonNode requirement : requirements) {
            String text = requirement.isTextual() ? requirement.asText() : requirement.toString();
            rule.check(text, where);
            addresses |= RequirementRule.hasAddress(text);
        }
        return addresses;
    }

    /** Checks a key of uv's table, and returns whether it gives a package an address. */
    private boolean check(String key, JsonNode value, String where) throws PackageException {
        if (REQUIREMENTS.contains(key)) {
            return checkAll(value, where);
        }
        switch (key) {
            case "index-url" -> rule.checkIndex(value.asText(), where);
            case "extra-index-url" -> checkIndexes(value, Optional.empty(), where);
            case "index" -> checkIndexes(value, Optional.of("url"), where);
            case "sources" -> {
                return checkSources(value, where);
            }
            default -> {
                if (!CHOICES.contains(key)) {
                    throw new PackageException(
                            "This worker does not obey \"" + key + "\" of the table tool.uv in " + where
                                    + ". Leave it out; indexes, sources, constraints and overrides are obeyed.",
                            false);
                }
            }
        }
        return false;
    }

    private void checkIndexes(JsonNode indexes, Optional<String> field, String where) throws PackageException {
        for (JsonNode index : indexes) {
            rule.checkIndex(field.isPresent() ? index.path(field.get()).asText() : index.asText(), where);
        }
    }

    private boolean checkSources(JsonNode sources, String where) throws PackageException {
        boolean addresses = false;
        for (Map.Entry<String, JsonNode> source : sources.properties()) {
            JsonNode value = source.getValue();
            for (JsonNode one : value.isArray() ? value : TOML.createArrayNode().add(value)) {
                for (Map.Entry<String, JsonNode> field : one.properties()) {
                    addresses |= checkSource(source.getKey(), field, where);
                }
            }
        }
        return addresses;
    }

    private boolean checkSource(String name, Map.Entry<String, JsonNode> field, String where) throws PackageException {
        String value = field.getValue().asText();
        switch (field.getKey()) {
            case "url", "git" -> {
                // The rule looks for variables in the whole requirement.
                rule.check(name + " @ " + (field.getKey().equals("git") ? "git+" : "") + value, where);
                return true;
            }
            case "index" -> {
                return false;
            }
            default -> {
                if (!SOURCE_OPTIONS.contains(field.getKey())) {
                    throw new PackageException(
                            "This worker does not install " + name + " from \"" + value + "\", which " + where
                                    + " names as its " + field.getKey()
                                    + ": sources may have an address (url, git) or an index, and no file or folder.",
                            false);
                }
                rule.checkPlain(value, where);
                return false;
            }
        }
    }
}
