package dev.millrace.scheduler.secret.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.queue.core.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretFolderTest {
    @TempDir
    private Path folder;

    private Path shop = Path.of("");

    @BeforeEach
    void make() throws IOException {
        shop = Files.createDirectories(folder.resolve("root/default/shop"));
    }

    @Test
    void readsFilesWithoutTheirLineEnd() throws IOException {
        Files.writeString(shop.resolve("unix"), "correct horse\n");
        Files.writeString(shop.resolve("windows"), "correct horse\r\n");
        Files.writeString(shop.resolve("lines"), "correct\n\n");

        assertThat(find("shop/unix")).isEqualTo("correct horse");
        assertThat(find("shop/windows")).isEqualTo("correct horse");
        assertThat(find("shop/lines")).isEqualTo("correct\n");
        assertThat(new SecretFolder(folder.resolve("root")).find(Workspace.of("other"), "shop/unix"))
                .isEmpty();
    }

    @Test
    void followsTheLinksOfAKubernetesVolume() throws IOException {
        Path version = Files.createDirectories(shop.resolve("..2026_11_24"));
        Files.writeString(version.resolve("key"), "correct horse");
        Files.createSymbolicLink(shop.resolve("..data"), Path.of("..2026_11_24"));
        Files.createSymbolicLink(shop.resolve("key"), Path.of("..data/key"));

        assertThat(find("shop/key")).isEqualTo("correct horse");
    }

    @Test
    void readsNothingOutsideOfTheFolder() throws IOException {
        Files.writeString(folder.resolve("outside"), "correct horse");
        Files.createSymbolicLink(shop.resolve("escape"), folder.resolve("outside"));

        assertThatThrownBy(() -> find("shop/escape")).hasMessageContaining("leads out of the folder");
        assertThatThrownBy(() -> find("shop")).hasMessageContaining("it is no file");
    }

    @Test
    void rejectsFilesThatAreTooLarge() throws IOException {
        Files.writeString(shop.resolve("large"), "x".repeat(70_000));

        assertThatThrownBy(() -> find("shop/large")).hasMessageContaining("larger than 65536 bytes");
    }

    private String find(String path) {
        return new SecretFolder(folder.resolve("root"))
                .find(Workspace.DEFAULT, path)
                .orElseThrow();
    }
}
