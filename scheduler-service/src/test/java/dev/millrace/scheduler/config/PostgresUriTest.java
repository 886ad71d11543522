package dev.millrace.scheduler.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PostgresUriTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            postgres://m:secret@pg1:5432,pg2:5433/millrace     | //pg1:5432,pg2:5433/millrace      | m    | secret
            postgresql://pg1,pg2/millrace                      | //pg1:5432,pg2:5432/millrace      | ``   | ``
            postgres://m@pg1:5501,pg2/x?target_session_attrs=read-write | //pg1:5501,pg2:5432/x    | m    | ``
            postgres://pg1,pg2/x?target_session_attrs=primary  | //pg1:5432,pg2:5432/x             | ``   | ``
            postgres://pg1,pg2/x?port=6000                     | //pg1:6000,pg2:6000/x             | ``   | ``
            postgres:///x?host=pg1,pg2&port=1,2                | //pg1:1,pg2:2/x                   | ``   | ``
            postgres://[::1]:5433,[fe80::2]/x                  | //[::1]:5433,[fe80::2]:5432/x     | ``   | ``
            postgres://ada:s%40c%2Fr%25t@db/x                  | //db:5432/x                       | ada  | s@c/r%t
            postgres://ada:a+b@db/x                            | //db:5432/x                       | ada  | a+b
            postgres://db/x?user=ada&password=p%26q            | //db:5432/x                       | ada  | p&q
            postgres://db?dbname=x                             | //db:5432/x                       | ``   | ``
            postgres://db/my%20base                            | //db:5432/my%20base               | ``   | ``
            postgres:///x                                      | //localhost:5432/x                | ``   | ``
            postgres://my_host/x                               | //my_host:5432/x                  | ``   | ``
            postgres://db/x?sslmode=verify-full&sslrootcert=/ca.pem | //db:5432/x?sslmode=verify-full&sslrootcert=%2Fca.pem | `` | ``
            postgres://db/x?connect_timeout=3&application_name=a%20b | //db:5432/x?connectTimeout=3&ApplicationName=a%20b | `` | ``
            postgres://db/x?currentSchema=queue                | //db:5432/x?currentSchema=queue   | ``   | ``
            """)
    void readsWhatLibpqReads(String uri, String address, String user, String password) {
        assertThat(DatabaseLocation.parse(uri))
                .isEqualTo(new DatabaseLocation("jdbc:postgresql:" + address, user, password));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            mysql://db/x                                  | its scheme is "mysql"
            db:5432/x                                     | it cannot be read as a URL
            postgres://ada:hush@hush@db/x                 | host 1 cannot be read
            postgres://ada:hush#1@db/x                    | it cannot be read as a URL
            postgres://ada:hush%zz@db/x                   | its password has a "%" without two hexadecimal digits
            postgres://ada:12/hush@db/x                   | it cannot be read as a URL
            postgres://ada:hu/sh@db/x                     | it cannot be read as a URL
            postgres://db:0/x                             | the port of host 1 is "0"
            postgres://db,pg2:70000/x                     | the port of host 2 is "70000"
            postgres://::1/x                              | host 1 cannot be read
            postgres://%2Fvar%2Frun/x                     | host 1 is a folder with a socket
            postgres://pg1,pg2,pg3/x?port=1,2             | it has 3 hosts but 2 ports
            postgres://pg1/x?target_session_attrs=standby | a scheduler writes, so it needs the primary
            postgres://pg1/x?hostaddr=10.0.0.1            | name the address as the host
            postgres://pg1/x?sslmode                      | its parameter "sslmode" has no value
            """)
    void refusesWhatItCannotCarryOver(String uri, String reason) {
        assertThatThrownBy(() -> DatabaseLocation.parse(uri))
                .hasMessageContaining("millrace.database.url is not usable: ")
                .hasMessageContaining(reason)
                .hasMessageNotContaining("hush");
    }

    @Test
    void readsTheVariablesOfLibpq() {
        assertThat(DatabaseLocation.fromLibpq(Map.of(
                        "PGHOST", "pg1,pg2",
                        "PGPORT", "5501,5502",
                        "PGDATABASE", "millrace",
                        "PGUSER", "ada",
                        "PGPASSWORD", "secret",
                        "PGTARGETSESSIONATTRS", "read-write",
                        "PGSSLMODE", "require")))
                .contains(new DatabaseLocation(
                        "jdbc:postgresql://pg1:5501,pg2:5502/millrace?sslmode=require", "ada", "secret"));
        assertThatThrownBy(() -> DatabaseLocation.fromLibpq(Map.of("PGHOST", "/var/run/postgresql")))
                .hasMessageContaining("host 1 is a folder with a socket");
    }
}
