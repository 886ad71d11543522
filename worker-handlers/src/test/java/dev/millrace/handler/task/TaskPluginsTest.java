package dev.millrace.handler.task;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.handler.TestJob;
import dev.millrace.task.ServerTask;
import dev.millrace.worker.JobException;
import dev.millrace.worker.JobHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses the jar of the example, compiled as its README says. */
class TaskPluginsTest {
    private static final Path EXAMPLE = Path.of("..", "examples", "server-task");
    private static final String SERVICE = "META-INF/services/dev.millrace.task.ServerTask";

    @Test
    void runsTheTaskOfAJar(@TempDir Path folder) throws Exception {
        makeJar(folder, "slug.jar");
        try (TaskPlugins plugins = TaskPlugins.load(folder)) {
            Object result = slug(plugins).handle(TestJob.of("{'text': 'Crème\\nbrûlée!'}"));

            assertThat(plugins.handlers()).containsOnlyKeys("server.slug");
            assertThat(result).isEqualTo("creme-brulee");
        }
    }

    @Test
    void refusesAnInputThatDoesNotFitTheSchema(@TempDir Path folder) throws Exception {
        makeJar(folder, "slug.jar");
        try (TaskPlugins plugins = TaskPlugins.load(folder)) {
            JobException failure = catchThrowableOfType(
                    JobException.class, () -> slug(plugins).handle(TestJob.of("{'text': 1, 'more': 2}")));

            assertThat(failure.name()).isEqualTo("InputError");
            assertThat(failure).hasMessageContaining("server.slug").hasMessageContaining("text");
            assertThat(failure.isRetryable()).isFalse();
        }
    }

    @Test
    void failsForGoodWithWhatTheTaskThrows(@TempDir Path folder) throws Exception {
        makeJar(folder, "slug.jar");
        try (TaskPlugins plugins = TaskPlugins.load(folder)) {
            JobException failure =
                    catchThrowableOfType(JobException.class, () -> slug(plugins).handle(TestJob.of("{'text': ' '}")));

            assertThat(failure.name()).isEqualTo("IllegalArgumentException");
            assertThat(failure).hasMessage("The text is empty: give one with letters or digits.");
            assertThat(failure.isRetryable()).isFalse();
        }
    }

    @Test
    void isEmptyWithoutJars(@TempDir Path folder) {
        try (TaskPlugins plugins = TaskPlugins.load(folder)) {
            assertThat(plugins.handlers()).isEmpty();
        }
    }

    @Test
    void saysWhyAJarCannotBeUsed(@TempDir Path folder) throws Exception {
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(folder.resolve("broken.jar")))) {
            add(jar, SERVICE, "NoSuchClass".getBytes(UTF_8));
        }

        assertThatThrownBy(() -> TaskPlugins.load(folder)).hasMessageContaining("NoSuchClass");
        assertThatThrownBy(() -> TaskPlugins.load(folder.resolve("nowhere"))).hasMessageContaining("does not exist");
    }

    @Test
    void refusesATaskWithABadNameOrSchema() {
        assertThatThrownBy(() -> new TaskHandler(task("No Good", "{}"))).hasMessageContaining("\"No Good\"");
        assertThatThrownBy(() -> new TaskHandler(task("good", "{"))).hasMessageContaining("server.good is not JSON");
    }

    private static JobHandler slug(TaskPlugins plugins) {
        return requireNonNull(plugins.handlers().get("server.slug"), "server.slug");
    }

    private static ServerTask task(String name, String schema) {
        return new ServerTask() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public String description() {
                return "Is never run.";
            }

            @Override
            public String inputSchema() {
                return schema;
            }

            @Override
            public @Nullable Object run(Map<String, ?> input) {
                return null;
            }
        };
    }

    private static void makeJar(Path folder, String name) throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        int exitCode = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-proc:none",
                        "-d",
                        classes.toString(),
                        EXAMPLE.resolve("Slug.java").toString());
        assertThat(exitCode).isZero();
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(folder.resolve(name)))) {
            add(jar, SERVICE, Files.readAllBytes(EXAMPLE.resolve(SERVICE)));
            add(jar, "Slug.class", Files.readAllBytes(classes.resolve("Slug.class")));
        }
    }

    private static void add(JarOutputStream jar, String name, byte[] content) throws IOException {
        jar.putNextEntry(new JarEntry(name));
        jar.write(content);
        jar.closeEntry();
    }
}
