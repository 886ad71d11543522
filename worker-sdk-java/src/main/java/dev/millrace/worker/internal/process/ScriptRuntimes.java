package dev.millrace.worker.internal.process;

import static java.util.stream.Collectors.joining;

import dev.millrace.proto.script.v1.Script;
import dev.millrace.worker.language.ScriptLanguage;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The runtimes of a worker. */
final class ScriptRuntimes {
    private final List<ScriptRuntime> all;

    /** @param languages those beside the built-in ones */
    ScriptRuntimes(List<ScriptLanguage> languages) {
        this(Stream.concat(
                        Stream.of(ScriptRuntime.PYTHON, ScriptRuntime.DENO),
                        languages.stream().map(ScriptRuntime::of))
                .toList());
    }

    private ScriptRuntimes(Collection<ScriptRuntime> all) {
        this.all = List.copyOf(all);
    }

    /** These runtimes, without the built-in ones. */
    static ScriptRuntimes only(Collection<ScriptRuntime> runtimes) {
        return new ScriptRuntimes(runtimes);
    }

    /** The runtime of a script that the scheduler sent. */
    ScriptRuntime of(Script script) {
        String name = switch (script.getLanguage()) {
            case LANGUAGE_PYTHON -> ScriptRuntime.PYTHON.name();
            case LANGUAGE_DENO -> ScriptRuntime.DENO.name();
            case LANGUAGE_UNSPECIFIED, UNRECOGNIZED -> script.getLanguageName();
        };
        return all.stream()
                .filter(runtime -> runtime.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new LoadException(
                        "This worker does not know the language \"" + name + "\" of the script; it knows "
                                + all.stream().map(ScriptRuntime::name).collect(joining(", "))
                                + ". Add the language to the worker, or give the job the tag of one that has it.",
                        true));
    }

    /** The runtime of a version, which its hash tells; empty if the files are not that version. */
    Optional<ScriptRuntime> of(StoredFiles files, String hash) {
        return all.stream()
                .filter(runtime -> files.isTree() || runtime.hasEndingOf(files.main()))
                .filter(runtime -> files.areOf(hash, runtime))
                .findFirst();
    }
}
