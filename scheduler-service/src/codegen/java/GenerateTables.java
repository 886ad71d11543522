import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.jooq.codegen.GenerationTool;
import org.jooq.meta.jaxb.Configuration;
import org.jooq.meta.jaxb.Database;
import org.jooq.meta.jaxb.Generate;
import org.jooq.meta.jaxb.Generator;
import org.jooq.meta.jaxb.Jdbc;
import org.jooq.meta.jaxb.Target;

/**
 * Generates jOOQ's tables from the schema that the migrations create, by migrating an embedded Postgres and reading its
 * schema. Does nothing if the migrations have not changed since the last run. Arguments: migrations folder, output
 * folder.
 */
public final class GenerateTables {
    private static final String PACKAGE = "dev.millrace.scheduler.database.tables";

    public static void main(String[] arguments) throws Exception {
        Path migrations = Path.of(arguments[0]).toAbsolutePath();
        Path output = Path.of(arguments[1]).toAbsolutePath();
        Path stamp = output.resolve("migrations.sha256");
        String fingerprint = fingerprint(migrations);
        if (Files.exists(stamp) && Files.readString(stamp).equals(fingerprint)) {
            return;
        }
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
            String url = postgres.getJdbcUrl("postgres", "postgres");
            Flyway.configure()
                    .dataSource(url, "postgres", "")
                    .locations("filesystem:" + migrations)
                    .load()
                    .migrate();
            GenerationTool.generate(new Configuration()
                    .withJdbc(new Jdbc().withUrl(url).withUser("postgres"))
                    .withGenerator(new Generator()
                            .withDatabase(new Database()
                                    .withInputSchema("public")
                                    .withOutputSchemaToDefault(true)
                                    .withExcludes("flyway_schema_history|job_history_.*|job_log_.*")
                                    .withIncludeRoutines(false))
                            .withGenerate(new Generate().withRecords(false).withGlobalObjectReferences(true))
                            .withTarget(new Target().withPackageName(PACKAGE).withDirectory(output.toString()))));
        }
        Files.writeString(stamp, fingerprint);
    }

    private static String fingerprint(Path migrations) throws IOException, java.security.NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        List<Path> files;
        try (var listing = Files.list(migrations)) {
            files = listing.sorted().toList();
        }
        for (Path file : files) {
            digest.update(file.getFileName().toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
            digest.update(Files.readAllBytes(file));
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
