package dev.millrace.scheduler.identity.login;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.identity.login.core.ClaimConditions;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.Record;

/** Trusts in Postgres. */
final class TrustStore {
    private static final String COLUMNS =
            "workspace, name, service_account, issuer, audience, claims::text as claims, created_by, created_at";
    private static final String INSERT = """
            insert into token_trust (workspace, name, service_account, issuer, audience, claims, created_by)
            values (?, ?, ?, ?, ?, ?::jsonb, ?) on conflict do nothing returning
            """ + COLUMNS;
    private static final String COUNT = "select count(*) from token_trust where workspace = ?";
    private static final String LIST =
            "select " + COLUMNS + " from token_trust where workspace = ? and name > ? order by name limit ?";
    private static final String DELETE = "delete from token_trust where workspace = ? and name = ?";
    private static final String OF_ISSUER = "select " + COLUMNS + """
             from token_trust where issuer = ? and (? = '' or workspace = ?) and (? = '' or service_account = ?)
            order by workspace, name limit ?
            """;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<Map<String, String>> CLAIMS = new TypeReference<>() {};

    private final Database database;

    TrustStore(Database database) {
        this.database = database;
    }

    /** Stores a trust, with the time of the database; empty if the name is taken. */
    Optional<Trust> insert(Trust trust) {
        return database.run(dsl -> dsl
                .fetch(
                        INSERT,
                        trust.workspace().name(),
                        trust.name(),
                        trust.serviceAccount(),
                        trust.issuer(),
                        trust.audience(),
                        json(trust.claims()),
                        trust.createdBy())
                .stream()
                .map(TrustStore::read)
                .findFirst());
    }

    long count(Workspace workspace) {
        return database.run(dsl -> dsl.fetchSingle(COUNT, workspace.name()).get(0, Long.class));
    }

    List<Trust> list(Workspace workspace, String after, int limit) {
        return database.run(
                dsl -> dsl.fetch(LIST, workspace.name(), after, limit).map(TrustStore::read));
    }

    boolean delete(Workspace workspace, String name) {
        return database.run(dsl -> dsl.execute(DELETE, workspace.name(), name)) > 0;
    }

    /** Trusts in an issuer, of one workspace and service account if they are given. */
    List<Trust> ofIssuer(String issuer, Optional<Workspace> workspace, String serviceAccount, int limit) {
        String owner = workspace.map(Workspace::name).orElse("");
        return database.run(dsl -> dsl.fetch(OF_ISSUER, issuer, owner, owner, serviceAccount, serviceAccount, limit)
                .map(TrustStore::read));
    }

    private static Trust read(Record row) {
        return new Trust(
                Workspace.of(row.get("workspace", String.class)),
                row.get("name", String.class),
                row.get("service_account", String.class),
                row.get("issuer", String.class),
                row.get("audience", String.class),
                claims(row.get("claims", String.class)),
                row.get("created_by", String.class),
                row.get("created_at", OffsetDateTime.class).toInstant());
    }

    private static String json(ClaimConditions claims) {
        try {
            return JSON.writeValueAsString(claims.sorted());
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("texts can be written as JSON", impossible);
        }
    }

    private static ClaimConditions claims(String json) {
        try {
            return new ClaimConditions(JSON.readValue(json, CLAIMS));
        } catch (JsonProcessingException foreign) {
            throw new IllegalStateException("the column token_trust.claims has another content", foreign);
        }
    }
}
