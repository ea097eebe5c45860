package examples.contacts;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.Collections;
import org.junit.Test;

public class AddressBookTest {

    private final AddressBook book = new AddressBook();

    @Test
    public void emptyBook() {
        assertEquals(Collections.emptyList(), book.sorted());
    }

    @Test
    public void familyNameDecides() {
        book.add("Anna", "Zorn").add("Zoe", "Abel");
        assertEquals(Arrays.asList("Zoe Abel", "Anna Zorn"), book.sorted());
    }

    @Test
    public void givenNameDecidesAmongRelatives() {
        book.add("Zoe", "Abel").add("Anna", "Abel");
        assertEquals(Arrays.asList("Anna Abel", "Zoe Abel"), book.sorted());
    }

    @Test
    public void caseDoesNotMatter() {
        book.add("a", "de Vries").add("b", "Dahl").add("c", "DACHS");
        assertEquals(Arrays.asList("c DACHS", "b Dahl", "a de Vries"), book.sorted());
    }

    @Test
    public void contactsWithoutFamilyNameComeFirst() {
        book.add("Zoe", "Abel").add("Mum", null).add("Dad", null);
        assertEquals(Arrays.asList("Dad", "Mum", "Zoe Abel"), book.sorted());
    }

    @Test
    public void missingGivenNameComesFirst() {
        book.add("Anna", "Abel").add(null, "Abel").add(null, "Aachen Taxi");
        assertEquals(Arrays.asList("Aachen Taxi", "Abel", "Anna Abel"), book.sorted());
    }

    @Test
    public void missingNamesAreEqual() {
        assertEquals(0, new ByName().compare(new Contact("Mum", null), new Contact("MUM", null)));
        assertEquals(0, new ByName().compare(new Contact(null, "Taxi"), new Contact(null, "taxi")));
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesContactWithoutAnyName() {
        book.add(null, null);
    }
}
