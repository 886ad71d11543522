package dev.millrace.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** An index of Python packages in a folder. Workers install from it, and from nowhere else, if they have its setting. */
public record PackageIndex(Path folder) {
    /** Setting of workers that names {@link #settings}. */
    public static final String SETTING = "uv.config.file";

    /** The value of the setting. */
    public String settings() {
        try {
            return Files.writeString(folder.resolve("uv.toml"), "no-index = true\nfind-links = [\"" + folder + "\"]\n")
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Publishes a package that has one module, with the name of the package. */
    public void publish(String name, String version, String source) throws IOException {
        String info = name + "-" + version + ".dist-info/";
        Path wheel = folder.resolve(name + "-" + version + "-py3-none-any.whl");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(wheel))) {
            add(zip, name + ".py", source);
            add(zip, info + "METADATA", metadata(name, version));
            add(zip, info + "WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
            add(zip, info + "RECORD", name + ".py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n");
        }
    }

    /**
     * Publishes a package that is built by code in it, as those with a native part are.
     *
     * @param builder source of a module with the functions that PEP 517 names
     */
    public void publishSource(String name, String version, String builder) throws IOException {
        String root = name + "-" + version + "/";
        try (ZipOutputStream zip =
                new ZipOutputStream(Files.newOutputStream(folder.resolve(name + "-" + version + ".zip")))) {
            add(zip, root + "pyproject.toml", """
                    [build-system]
                    requires = []
                    build-backend = "builder"
                    backend-path = ["."]

                    [project]
                    name = "%s"
                    version = "%s"
                    """.formatted(name, version));
            add(zip, root + "PKG-INFO", metadata(name, version));
            add(zip, root + "builder.py", builder);
        }
    }

    private static String metadata(String name, String version) {
        return "Metadata-Version: 2.2\nName: " + name + "\nVersion: " + version + "\n";
    }

    private static void add(ZipOutputStream zip, String name, String content) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(content.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }
}
