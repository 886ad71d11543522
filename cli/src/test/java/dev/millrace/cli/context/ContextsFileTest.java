package dev.millrace.cli.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContextsFileTest {
    private final Path home;
    private final ContextsFile file;

    ContextsFileTest(@TempDir Path home) {
        this.home = home;
        this.file = ContextsFile.of(Map.of("HOME", home.toString())).orElseThrow();
    }

    @Test
    void liesWhereXdgWantsIt() {
        assertThat(file.path()).isEqualTo(home.resolve(".config/millrace/contexts.yaml"));
        assertThat(ContextsFile.of(Map.of("HOME", home.toString(), "XDG_CONFIG_HOME", "/etc/mine")))
                .contains(new ContextsFile(Path.of("/etc/mine/millrace/contexts.yaml")));
        assertThat(ContextsFile.of(Map.of("HOME", home.toString(), "XDG_CONFIG_HOME", "relative")))
                .contains(file);
        assertThat(ContextsFile.of(Map.of())).isEmpty();
    }

    @Test
    void holdsNothingBeforeTheFirstChange() {
        assertThat(file.read()).isEqualTo(Contexts.NONE);
        assertThat(home.resolve(".config")).doesNotExist();
    }

    @Test
    void returnsWhatWasWritten() {
        Context full = new Context(
                URI.create("https://prod.example/millrace"),
                Optional.of("team-a"),
                Optional.of("mru_0123"),
                Optional.of(home.resolve("ca \"1\" é\\n.pem")));
        Contexts contexts = Contexts.NONE
                .with("prod.eu-1", full)
                .with("no", Context.of(URI.create("http://localhost:8400")))
                .with("007", Context.of(URI.create("http://localhost:8401")))
                .using("no");

        file.update(before -> contexts);

        assertThat(file.read()).isEqualTo(contexts);
    }

    @Test
    void isForTheUserOnly() throws IOException {
        file.update(before -> before);

        assertThat(mode(file.path())).isEqualTo("rw-------");
        assertThat(mode(home.resolve(".config/millrace"))).isEqualTo("rwx------");
        try (var files = Files.list(home.resolve(".config/millrace"))) {
            assertThat(files).allSatisfy(each -> assertThat(mode(each)).isEqualTo("rw-------"));
        }
    }

    @ParameterizedTest
    @CsvSource({"rw-r-----", "rw----r--", "rw--w----"})
    void refusesAFileThatIsOpenToOthers(String mode) throws IOException {
        file.update(before -> before);
        Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString(mode));

        assertThatThrownBy(file::read)
                .hasMessage("The file " + file.path() + " holds tokens, but other users may read or write it (" + mode
                        + "). Restrict it with: chmod 600 " + file.path());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "contexts: {a: {}}|the context 'a' has no server",
                "contexts: {a: {server: x}}|'x' is not an http or https URL",
                "contexts: {a: {server: 'http://a', tokn: x}}|the context 'a' has the unknown key 'tokn'",
                "contexts: {a: 1}|the context 'a' is no mapping",
                "contexts: {'a b': {server: 'http://a'}}|'a b' cannot be the name of a context",
                "current: b|the current context 'b' is none of those in it",
                "contexts: [|line 2",
                "[1]|the file is no mapping"
            })
    void saysWhatIsWrongInIt(String content, String problem) throws IOException {
        file.update(before -> before);
        Files.writeString(file.path(), content + "\n");

        assertThatThrownBy(file::read)
                .hasMessageContaining("The file " + file.path() + " holds no valid contexts: ")
                .hasMessageContaining(problem);
    }

    private static String mode(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
