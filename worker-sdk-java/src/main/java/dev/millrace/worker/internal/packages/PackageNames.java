package dev.millrace.worker.internal.packages;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** Packages whose names differ from those of the modules in them. */
final class PackageNames {
    private static final Properties BY_MODULE = read();

    private PackageNames() {}

    /** Name of the package that has a module. */
    static String of(String module) {
        return BY_MODULE.getProperty(module, module);
    }

    private static Properties read() {
        try (InputStream in = PackageNames.class.getResourceAsStream("package-names.properties")) {
            Properties names = new Properties();
            names.load(new InputStreamReader(in, StandardCharsets.UTF_8));
            return names;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
