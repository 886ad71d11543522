package dev.millrace.cli.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in a folder like a checkout, whose Java and whose build only say that they were called. */
class LauncherTest {
    private static final Path CHECKOUT = Path.of("..");
    private static final FileTime LONG_AGO = FileTime.from(Instant.EPOCH.plusSeconds(1));

    @TempDir
    Path folder;

    private Path checkout = Path.of("");

    @BeforeEach
    void layOut() throws IOException {
        checkout = folder.resolve("checkout");
        Files.createDirectories(checkout.resolve("cli/target/launcher"));
        copy("millrace");
        copy(".mvn/find-jdk.sh");
        copy("cli/src/launcher/terminal.sh");
        program(checkout.resolve("mvnw"), "echo built >\"$(dirname \"$0\")/mvnw.log\"");
        program(checkout.resolve("cli/src/launcher/record-client.sh"), ":");
        program(folder.resolve("jdk/bin/javac"), "echo javac 25.0.1");
        program(
                folder.resolve("jdk/bin/java"),
                "case $* in *' dev') echo up; read -r _ || : ;; esac; echo \"as $MILLRACE_COMMAND in $MILLRACE_HOME\"");
        program(folder.resolve("path/npm"), ":");
        for (String module : modules()) {
            Files.createDirectories(checkout.resolve(module).resolve("src/millrace"));
        }
        Files.writeString(checkout.resolve("pom.xml"), "");
        Files.writeString(checkout.resolve("cli/target/millrace.jar"), "");
        Files.writeString(checkout.resolve("cli/target/launcher/built"), "");
        ageAll();
        Files.setLastModifiedTime(
                checkout.resolve("cli/target/launcher/built"), FileTime.from(Instant.EPOCH.plusSeconds(2)));
    }

    @Test
    void namesItselfAsItWasCalled() throws Exception {
        assertThat(run(checkout, "./millrace", "version").output).contains("as ./millrace in " + checkout);
    }

    @Test
    void worksByALinkOnThePath() throws Exception {
        Files.createSymbolicLink(folder.resolve("path/millrace"), Path.of("../checkout/millrace"));

        assertThat(run(folder, "millrace", "version").output)
                .contains("as millrace in " + checkout)
                .doesNotContain("No such file");
    }

    @Test
    void buildsWhatIsNewer() throws Exception {
        Files.writeString(checkout.resolve("cli/src/New.java"), "");

        assertThat(run(checkout, "./millrace", "version").output).contains("Building Millrace", "as ./millrace");
        assertThat(checkout.resolve("mvnw.log")).exists();
    }

    @Test
    void buildsNothingForGeneratedFiles() throws Exception {
        write("worker-runtime-deno/sdk/proto/run.ts");
        write("worker-runtime-python/src/millrace/_proto/run.py");
        write("worker-runtime-python/src/millrace.egg-info/PKG-INFO");
        write("worker-runtime-python/build/lib/millrace.py");

        assertThat(run(checkout, "./millrace", "version").output).doesNotContain("Building");
    }

    @Test
    void takesNoJarFromARunningService() throws Exception {
        Process dev = start(checkout, "./millrace", "dev");
        try {
            assertThat((char) dev.getInputStream().read()).isEqualTo('u');
            Files.writeString(checkout.resolve("cli/src/New.java"), "");

            assertThat(run(checkout, "./millrace", "version").output)
                    .contains("which millrace dev (process " + dev.pid() + ") uses: stop it", "as ./millrace")
                    .doesNotContain("Building");
        } finally {
            dev.destroyForcibly().waitFor();
        }
        assertThat(run(checkout, "./millrace", "version").output).contains("Building");
    }

    private record Outcome(int exitCode, String output) {}

    private Outcome run(Path working, String... command) throws IOException, InterruptedException {
        Process process = start(working, command);
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), output);
    }

    private Process start(Path working, String... command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(List.of(command)).directory(working.toFile()).redirectErrorStream(true);
        builder.environment().put("PATH", folder.resolve("path") + ":" + System.getenv("PATH"));
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        builder.environment().put("MILLRACE_AOT", "off");
        builder.environment().put("MILLRACE_DENO", "deno");
        if (command[0].equals("millrace")) {
            builder.command("sh", "-c", "exec \"$@\"", "sh", "millrace", command[1]);
        }
        return builder.start();
    }

    private void copy(String file) throws IOException {
        Path copy = checkout.resolve(file);
        Files.createDirectories(copy.getParent());
        Files.copy(CHECKOUT.resolve(file), copy);
    }

    private void write(String file) throws IOException {
        Path path = checkout.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, "");
    }

    private static void program(Path path, String body) throws IOException {
        Files.createDirectories(path.getParent());
        Files.writeString(path, "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** The modules that the launcher looks at, as it says itself. */
    private static List<String> modules() throws IOException {
        Matcher list = Pattern.compile("modules=\"([^\"$]*)\"").matcher(Files.readString(CHECKOUT.resolve("millrace")));
        assertThat(list.find()).isTrue();
        return List.of(list.group(1).split(" "));
    }

    private void ageAll() throws IOException {
        try (Stream<Path> all = Files.walk(checkout)) {
            all.forEach(path -> {
                try {
                    Files.setLastModifiedTime(path, LONG_AGO);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
