package dev.millrace.cli.context;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.yaml.InvalidYaml;
import dev.millrace.cli.yaml.YamlText;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Contexts as YAML. */
final class ContextsText {
    private static final String CURRENT = "current";
    private static final String CONTEXTS = "contexts";
    private static final String SERVER = "server";
    private static final String WORKSPACE = "workspace";
    private static final String TOKEN = "token";
    private static final String CA_FILE = "ca_file";

    private ContextsText() {}

    static String write(Contexts contexts) {
        StringBuilder yaml = new StringBuilder("# Servers of the command line millrace. The tokens are secret.\n");
        contexts.current().ifPresent(name -> line(yaml, "", CURRENT, name));
        yaml.append(CONTEXTS).append(contexts.byName().isEmpty() ? ": {}\n" : ":\n");
        contexts.byName().forEach((name, context) -> {
            yaml.append("  ").append(quoted(name)).append(":\n");
            line(yaml, "    ", SERVER, context.server().toString());
            context.workspace().ifPresent(workspace -> line(yaml, "    ", WORKSPACE, workspace));
            context.token().ifPresent(token -> line(yaml, "    ", TOKEN, token));
            context.caFile().ifPresent(file -> line(yaml, "    ", CA_FILE, file.toString()));
        });
        return yaml.toString();
    }

    /** Reads contexts. Keys that mean nothing are errors, because the next change would lose them. */
    static Contexts read(String text) throws InvalidYaml, InvalidContexts {
        JsonNode root = YamlText.parse(text);
        if (root.isNull()) {
            return Contexts.NONE;
        }
        requireKeys(root, "the file", Set.of(CURRENT, CONTEXTS));
        TreeMap<String, Context> byName = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : root.path(CONTEXTS).properties()) {
            byName.put(entry.getKey(), context(entry.getKey(), entry.getValue()));
        }
        Optional<String> current = text(root, CURRENT);
        if (current.isPresent() && !byName.containsKey(current.get())) {
            throw new InvalidContexts("the current context '" + current.get() + "' is none of those in it");
        }
        return valid(() -> new Contexts(current, byName));
    }

    private static Context context(String name, JsonNode fields) throws InvalidContexts {
        requireKeys(fields, "the context '" + name + "'", Set.of(SERVER, WORKSPACE, TOKEN, CA_FILE));
        String server =
                text(fields, SERVER).orElseThrow(() -> new InvalidContexts("the context '" + name + "' has no server"));
        return valid(() -> new Context(
                URI.create(server),
                text(fields, WORKSPACE),
                text(fields, TOKEN),
                text(fields, CA_FILE).map(Path::of)));
    }

    private static void requireKeys(JsonNode object, String what, Set<String> known) throws InvalidContexts {
        if (!object.isObject()) {
            throw new InvalidContexts(what + " is no mapping of keys to values");
        }
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            if (!known.contains(entry.getKey())) {
                throw new InvalidContexts(what + " has the unknown key '" + entry.getKey() + "'");
            }
        }
    }

    private static <T> T valid(Made<T> made) throws InvalidContexts {
        try {
            return made.make();
        } catch (CommandFailure invalid) {
            throw new InvalidContexts(invalid.text());
        } catch (IllegalArgumentException invalid) {
            throw new InvalidContexts(String.valueOf(invalid.getMessage()));
        }
    }

    private static Optional<String> text(JsonNode object, String key) {
        return Optional.of(object.path(key).asText("")).filter(text -> !text.isEmpty());
    }

    private static void line(StringBuilder yaml, String indent, String key, String value) {
        yaml.append(indent).append(key).append(": ").append(quoted(value)).append('\n');
    }

    /** In double quotes, whose escapes YAML has from JSON. */
    private static String quoted(String text) {
        return Json.compact(TextNode.valueOf(text));
    }

    @FunctionalInterface
    private interface Made<T> {
        T make();
    }

    /** A text is YAML but describes no contexts. The message is a clause or a sentence. */
    static final class InvalidContexts extends Exception {
        private static final long serialVersionUID = 1L;

        InvalidContexts(String message) {
            super(message);
        }
    }
}
