package dev.millrace.worker.internal.language;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.worker.language.Preparation;
import dev.millrace.worker.language.Preparer;
import dev.millrace.worker.language.ProcessUse;
import dev.millrace.worker.language.ScriptLanguage;
import dev.millrace.worker.language.ScriptVersion;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * TypeScript and JavaScript in Bun. Its processes stay, and run the same loop as those of Deno; only the entry differs.
 */
public final class Bun implements ScriptLanguage {
    /** Where the loop is on the class path. */
    private static final String RUNTIME = "millrace-runtime/deno/";

    private static final String ENTRY = "bun.ts";

    /** The frames channel is file descriptor 3; what Bun itself prints goes to standard error. */
    private static final List<String> FRAMES_ON_FD_3 = List.of("sh", "-c", "exec \"$@\" 3>&1 1>&2", "sh");

    private final Optional<Path> program = find();

    private static Optional<Path> find() {
        String named = System.getenv("MILLRACE_BUN");
        Stream<Path> places = named == null || named.isBlank()
                ? Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                        .filter(folder -> !folder.isEmpty())
                        .map(folder -> Path.of(folder, "bun"))
                : Stream.of(Path.of(named));
        return places.filter(Files::isExecutable).findFirst().flatMap(Bun::withoutLinks);
    }

    /** The file itself, as npm puts a link on the PATH, which a sandbox lacks. */
    private static Optional<Path> withoutLinks(Path found) {
        try {
            return Optional.of(found.toRealPath());
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    @Override
    public String name() {
        return "bun";
    }

    @Override
    public List<String> fileEndings() {
        return List.of(".bun.ts", ".ts", ".mts", ".js", ".mjs", ".tsx", ".jsx");
    }

    @Override
    public Optional<String> version() {
        return program.flatMap(Bun::ask);
    }

    private static Optional<String> ask(Path program) {
        try {
            Process process = new ProcessBuilder(program.toString(), "--version")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
            return process.waitFor() == 0 ? Optional.of(said) : Optional.empty();
        } catch (IOException broken) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Override
    public ProcessUse use() {
        return ProcessUse.WARM;
    }

    @Override
    public List<Path> files() {
        return program.stream().toList();
    }

    @Override
    public List<String> command(ScriptVersion script) {
        Stream<String> bun = Stream.of(
                program.map(Path::toString).orElse("bun"),
                "run",
                // Packages would be chosen anew in each process, and fetched while a job waits.
                "--no-install",
                script.prepared().orElseThrow().resolve(ENTRY).toString(),
                script.file().toString());
        return Stream.concat(FRAMES_ON_FD_3.stream(), bun).toList();
    }

    @Override
    public Optional<Preparer> preparer() {
        return Optional.of(Bun::writeRuntime);
    }

    /** Puts the loop where the process finds it, also in a sandbox. */
    private static void writeRuntime(Preparation preparation) throws IOException {
        List<String> names = new String(read("FILES"), UTF_8)
                .lines()
                .filter(name -> !name.isBlank())
                .toList();
        for (String name : names) {
            Files.write(preparation.target().resolve(name), read(name));
        }
    }

    private static byte[] read(String name) throws IOException {
        try (InputStream in = Bun.class.getClassLoader().getResourceAsStream(RUNTIME + name)) {
            if (in == null) {
                throw new IOException("The class path lacks " + RUNTIME + name + ".");
            }
            return in.readAllBytes();
        }
    }
}
