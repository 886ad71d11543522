package dev.millrace.worker.internal.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.text.script.WindmillClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Import maps with which Deno runs scripts: they lead to the runtime, and to files of the version. */
final class DenoImportMap {
    private DenoImportMap() {}

    /** Path or address of the import map of a script. */
    static String of(Path runtime, Script script) {
        try {
            Set<String> names = windmillNames(script);
            return script.tree().isEmpty() && names.isEmpty()
                    ? runtime.resolve("import_map.json").toString()
                    : map(runtime, script, names);
        } catch (IOException | UncheckedIOException e) {
            throw new WorkerFault("The worker cannot read the files of a script: " + e + ".", ScriptRuntime.DENO);
        }
    }

    /** Whether a script has the import map that scripts of one file have, unless they ask for more. */
    static boolean isCommon(Script script) {
        try {
            return script.tree().isEmpty() && windmillNames(script).isEmpty();
        } catch (IOException | UncheckedIOException unreadable) {
            return false;
        }
    }

    /** What the files of a script call Windmill's client beside its plain name, which each map has. */
    private static Set<String> windmillNames(Script script) throws IOException {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.walk(script.folder())) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                names.addAll(WindmillClient.namesIn(Files.readString(file)));
            }
        }
        return names;
    }

    /**
     * A map by which imports such as {@code /shared/text.ts} begin in the tree of the script. Longer keys come first, so
     * that what is in the tree or the runtime already stays where it is.
     */
    private static String map(Path runtime, Script script, Set<String> windmillNames) throws IOException {
        Map<String, String> imports = new TreeMap<>();
        if (script.tree().isPresent()) {
            Path tree = script.tree().get();
            try (Stream<Path> entries = Files.list(tree)) {
                entries.forEach(entry -> {
                    String name = entry.getFileName().toString();
                    String end = Files.isDirectory(entry) ? "/" : "";
                    imports.put("file:///" + name + end, url(tree) + name + end);
                });
            }
            imports.put(url(tree), url(tree));
        }
        imports.put(url(runtime), url(runtime));
        imports.put("millrace", url(runtime) + "mod.ts");
        String windmill = url(runtime) + "windmill_client.ts";
        imports.put(WindmillClient.NAME, windmill);
        windmillNames.forEach(name -> imports.put(name, windmill));
        String json = imports.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\":\"" + entry.getValue() + "\"")
                .collect(Collectors.joining(",", "{\"imports\":{", "}}"));
        return "data:application/json;base64," + Base64.getEncoder().encodeToString(json.getBytes(UTF_8));
    }

    /** The address of a folder, which ends with a slash. */
    static String url(Path folder) {
        String url = folder.toUri().toASCIIString();
        return url.endsWith("/") ? url : url + "/";
    }
}
