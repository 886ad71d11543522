package dev.millrace.client.internal.access;

import dev.millrace.client.AccessException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * The contexts of the command line: named servers with a workspace, a token and an authority.
 *
 * @param current name of the context that counts if nothing else is named; may be empty
 * @param byName the contexts
 */
record Contexts(String current, Map<String, Context> byName) {
    private static final Contexts NONE = new Contexts("", Map.of());
    private static final Set<PosixFilePermission> OWNER =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    Contexts {
        byName = Map.copyOf(byName);
    }

    /** The context with this name. */
    Context require(String name) {
        Context context = byName.get(name);
        if (context == null) {
            String known = byName.isEmpty()
                    ? "There are none yet."
                    : "There are: " + String.join(", ", new TreeSet<>(byName.keySet())) + ".";
            throw new AccessException("There is no context '" + name + "'. " + known
                    + " Make one with: ./millrace contexts set " + name + " --server URL");
        }
        return context;
    }

    /** Reads the contexts of the user; none if there is no file. */
    static Contexts read(Map<String, String> environment) {
        Optional<Path> path = file(environment);
        return path.isPresent() && Files.exists(path.get()) ? read(path.get()) : NONE;
    }

    /** Relative folders count as absent, as the XDG specification wants it. */
    private static Optional<Path> file(Map<String, String> environment) {
        return folder(environment, "XDG_CONFIG_HOME")
                .or(() -> folder(environment, "HOME").map(home -> home.resolve(".config")))
                .map(settings -> settings.resolve("millrace").resolve("contexts.yaml"));
    }

    private static Optional<Path> folder(Map<String, String> environment, String variable) {
        return Optional.ofNullable(environment.get(variable))
                .filter(named -> !named.isEmpty())
                .map(Path::of)
                .filter(Path::isAbsolute);
    }

    private static Contexts read(Path path) {
        try {
            if (isOpenToOthers(path)) {
                throw new AccessException("The file " + path
                        + " holds tokens, but other users may read or write it. Run: chmod 600 " + path);
            }
            Object root = new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(path));
            return root == null ? NONE : contexts(path, root);
        } catch (IOException unreadable) {
            throw new AccessException(
                    "The file " + path + " with your contexts cannot be read: " + unreadable + ".", unreadable);
        } catch (YAMLException invalid) {
            throw invalid(path, String.valueOf(invalid.getMessage()), invalid);
        }
    }

    private static boolean isOpenToOthers(Path path) throws IOException {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                && !OWNER.containsAll(Files.getPosixFilePermissions(path));
    }

    private static Contexts contexts(Path path, Object root) {
        Map<String, @Nullable Object> members = members(path, root, "the file");
        Object named = members.get("contexts");
        Map<String, Context> contexts = new HashMap<>();
        members(path, named == null ? Map.of() : named, "`contexts`")
                .forEach((name, value) -> contexts.put(name, context(path, name, value)));
        return new Contexts(text(members, "current"), contexts);
    }

    private static Context context(Path path, String name, @Nullable Object value) {
        Map<String, @Nullable Object> members = members(path, value, "the context '" + name + "'");
        if (text(members, "server").isEmpty()) {
            throw invalid(path, "the context '" + name + "' has no server", null);
        }
        return new Context(
                text(members, "server"), text(members, "workspace"), text(members, "token"), text(members, "ca_file"));
    }

    private static String text(Map<String, @Nullable Object> members, String key) {
        Object value = members.get(key);
        return value == null ? "" : value.toString();
    }

    private static Map<String, @Nullable Object> members(Path path, @Nullable Object value, String what) {
        if (!(value instanceof Map<?, ?> map)) {
            throw invalid(path, what + " is no mapping of keys to values", null);
        }
        Map<String, @Nullable Object> members = new HashMap<>();
        map.forEach((key, member) -> members.put(String.valueOf(key), member));
        return members;
    }

    private static AccessException invalid(Path path, String clause, @Nullable Throwable cause) {
        return new AccessException(
                "The file " + path + " holds no valid contexts: " + clause
                        + ". Correct it, or delete it and log in again.",
                cause);
    }
}
