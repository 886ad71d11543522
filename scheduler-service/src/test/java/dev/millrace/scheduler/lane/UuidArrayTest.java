package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.core.BaseConnection;

/** Tests how Postgres reads the bytes that are sent. */
class UuidArrayTest {
    private static final int UUID_ARRAY_OID = 2951;
    private static final UUID ONE = UUID.fromString("01900000-0000-7000-8000-000000000001");
    private static final UUID OTHER = UUID.fromString("ffffffff-ffff-ffff-ffff-ffffffffffff");

    @RegisterExtension
    private static final MigratedDatabase POSTGRES = new MigratedDatabase();

    private static final Database DATABASE = POSTGRES.database();

    static Stream<List<@Nullable UUID>> arrays() {
        return Stream.of(
                List.of(),
                List.of(ONE),
                Arrays.asList((UUID) null),
                Arrays.asList(ONE, null, OTHER),
                Stream.generate(UUID::randomUUID).limit(1_000).toList());
    }

    @ParameterizedTest
    @MethodSource("arrays")
    void arrivesAsItIs(List<@Nullable UUID> values) throws Exception {
        String sql = "select value from unnest(?::uuid[]) with ordinality as u(value, place) order by place";
        try (Connection connection = DATABASE.openDedicated("test");
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, new UuidArray(values.toArray(UUID[]::new)));
            try (ResultSet rows = statement.executeQuery()) {
                for (UUID value : values) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getObject("value", UUID.class)).isEqualTo(value);
                }
                assertThat(rows.next()).isFalse();
            }
        }
    }

    @Test
    void travelsInBinaryFormOnTheConnectionsOfLanes() throws Exception {
        try (Connection connection = DATABASE.openDedicated("test")) {
            assertThat(connection.unwrap(BaseConnection.class).binaryTransferSend(UUID_ARRAY_OID))
                    .isTrue();
        }
    }
}
