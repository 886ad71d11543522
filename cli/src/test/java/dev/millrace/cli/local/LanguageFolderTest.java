package dev.millrace.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.worker.language.ScriptLanguage;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The language of docs/how-to/add-a-language.md, compiled and loaded as its reader does it. */
final class LanguageFolderTest {
    private static final Path PAGE = Path.of("../docs/how-to/add-a-language.md");
    private static final String CLASS = "com/example/Awk.class";

    @TempDir
    private Path folder;

    @Test
    void theLanguageOfTheHowToIsThereBesideThoseOfTheWorker() throws Exception {
        Path jar = Files.createDirectory(folder.resolve("languages")).resolve("awk.jar");
        pack(jar);

        List<ScriptLanguage> languages = LanguageFolder.load(folder.resolve("languages"));

        assertThat(languages).extracting(ScriptLanguage::name).containsExactlyInAnyOrder("bash", "bun", "go", "awk");
    }

    @Test
    void saysWhatIsWrongWithAFolder() throws IOException {
        assertThatThrownBy(() -> LanguageFolder.load(folder.resolve("missing")))
                .hasMessageContaining("does not exist: create it, or remove its setting");
        Path jars = Files.createDirectory(folder.resolve("bad"));
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(jars.resolve("bad.jar")))) {
            jar.putNextEntry(new JarEntry("META-INF/services/" + ScriptLanguage.class.getName()));
            jar.write("com.example.Missing\n".getBytes(UTF_8));
        }
        assertThatThrownBy(() -> LanguageFolder.load(jars)).hasMessageContaining("com.example.Missing");
    }

    private void pack(Path to) throws IOException, URISyntaxException {
        Matcher blocks = Pattern.compile("(?s)```java\\n(.*?)```").matcher(Files.readString(PAGE));
        Path source = Files.createDirectories(folder.resolve("com/example")).resolve("Awk.java");
        assertThat(blocks.find()).isTrue();
        Files.writeString(source, blocks.group(1));
        Path sdk = Path.of(ScriptLanguage.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        int exitCode = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-cp", sdk.toString(), source.toString());
        assertThat(exitCode).isZero();
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(to))) {
            jar.putNextEntry(new JarEntry(CLASS));
            jar.write(Files.readAllBytes(folder.resolve(CLASS)));
            jar.putNextEntry(new JarEntry("META-INF/services/" + ScriptLanguage.class.getName()));
            jar.write("com.example.Awk\n".getBytes(UTF_8));
        }
    }
}
