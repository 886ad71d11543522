package dev.millrace.client.internal.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.client.AccessException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AccessChoiceTest {
    private static final String CONTEXTS = """
            current: "work"
            contexts:
              "home": {server: "http://localhost:8400"}
              "work": {server: "http://millrace.example:8400", workspace: "shop", token: "secret-1"}
            """;

    private final Map<String, String> environment = new HashMap<>();
    private final Given given = new Given();
    private Path file;

    @BeforeEach
    void writeContexts(@TempDir Path home) throws IOException {
        file = home.resolve(".config/millrace/contexts.yaml");
        Files.createDirectories(file.getParent());
        write(CONTEXTS);
        environment.put("HOME", home.toString());
    }

    @Test
    void withoutAnySettingItIsTheSchedulerOfDev() {
        Access access = AccessChoice.choose(new Given(), Map.of());

        assertThat(access.target()).isEqualTo("localhost:8401");
        assertThat(access.workspace()).isEmpty();
        assertThat(access.tokens().token()).isEmpty();
        assertThat(access.tls()).isEmpty();
    }

    @Test
    void theCurrentContextCounts() {
        given.isPlaintextAllowed = true;

        Access access = choose();

        assertThat(access.target()).isEqualTo("millrace.example:8401");
        assertThat(access.workspace()).isEqualTo("shop");
        assertThat(access.tokens().token()).isEqualTo("secret-1");
    }

    @Test
    void theProgramComesBeforeVariablesAndBothBeforeTheContext() {
        given.isPlaintextAllowed = true;
        environment.put("MILLRACE_WORKSPACE", "of-variable");
        environment.put("MILLRACE_TOKEN", "of-variable");
        given.token = "of-program";

        assertThat(choose().workspace()).isEqualTo("of-variable");
        assertThat(choose().tokens().token()).isEqualTo("of-program");
    }

    @Test
    void theTokenOfAContextGoesToNoOtherHost() {
        given.target = "other.example:8401";

        assertThat(choose().tokens().token()).isEmpty();
    }

    @Test
    void noTokenTravelsInPlainText() {
        assertThatThrownBy(this::choose)
                .isInstanceOf(AccessException.class)
                .hasMessageContaining("The token would travel unencrypted to millrace.example:8401");
    }

    @Test
    void anHttpsServerTurnsTlsOn() throws IOException {
        write(CONTEXTS.replace("http://millrace", "https://millrace"));

        assertThat(choose().tls().orElseThrow().authorities()).isEmpty();
    }

    @Test
    void aContextCanBeChosenByItsName() {
        given.context = "home";
        assertThat(choose().target()).isEqualTo("localhost:8401");

        given.context = "away";
        assertThatThrownBy(this::choose)
                .hasMessage("There is no context 'away'. There are: home, work. Make one with: ./millrace contexts set"
                        + " away --server URL");
    }

    @Test
    void refusesAContextsFileThatOthersMayRead() throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        assertThatThrownBy(this::choose).hasMessageContaining("Run: chmod 600 " + file);
    }

    @Test
    void refusesContextsThatAreNone() throws IOException {
        write("contexts: [1]");
        assertThatThrownBy(this::choose).hasMessageContaining("`contexts` is no mapping of keys to values");

        write("contexts: {a: {workspace: b}}");
        assertThatThrownBy(this::choose).hasMessageContaining("the context 'a' has no server");

        write("contexts: !!java.net.URL [http://localhost]");
        assertThatThrownBy(this::choose).hasMessageContaining("holds no valid contexts");
    }

    @Test
    void refusesSettingsThatCannotBeMeant() {
        given.target = "localhost";
        assertThatThrownBy(this::choose).hasMessageContaining("is not HOST:PORT");

        given.target = "localhost:8401";
        given.token = "a";
        given.tokenFile = "b";
        assertThatThrownBy(this::choose).hasMessageContaining("Leave one of them out");

        given.tokenFile = "";
        given.certificateFile = "c.pem";
        assertThatThrownBy(this::choose).hasMessageContaining("Name both, or neither");

        given.keyFile = "c.key";
        assertThatThrownBy(this::choose).hasMessageContaining("There is no file c.pem");
    }

    private Access choose() {
        return AccessChoice.choose(given, environment);
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
}
