package dev.millrace.scheduler.secret.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFilesTest {
    @TempDir
    private Path folder;

    @Test
    void createsAFileThatOnlyItsOwnerMayRead() throws IOException {
        Path file = KeyFiles.create(folder.resolve("keys"), "0001", new byte[32]);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("keys"))))
                .isEqualTo("rwx------");
        assertThat(KeyFiles.read(folder.resolve("keys")))
                .singleElement()
                .satisfies(key -> assertThat(key.id()).isEqualTo("0001"));
    }

    @Test
    void readsAFileOrAllKeysOfAFolderInOrder() {
        KeyFiles.create(folder, "b", new byte[32]);
        Path file = KeyFiles.create(folder.resolve("a.key"), "unused", new byte[32]);

        assertThat(KeyFiles.read(folder)).extracting(WrappingKey::id).containsExactly("a", "b");
        assertThat(KeyFiles.read(file)).extracting(WrappingKey::id).containsExactly("a");
        assertThat(KeyFiles.read(folder.resolve("none"))).isEmpty();
    }

    @Test
    void rejectsFilesThatOthersMayReadOrThatAreNoKeys() throws IOException {
        Path file = KeyFiles.create(folder, "0001", new byte[32]);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> KeyFiles.read(folder)).hasMessageContaining("chmod 600 " + file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(file, "short");
        assertThatThrownBy(() -> KeyFiles.read(folder)).hasMessageContaining("is no key");
    }
}
