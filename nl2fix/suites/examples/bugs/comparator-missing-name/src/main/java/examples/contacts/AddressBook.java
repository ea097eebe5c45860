package examples.contacts;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Contacts in order of their names. */
public class AddressBook {

    private final List<Contact> contacts = new ArrayList<>();

    public AddressBook add(String givenName, String familyName) {
        contacts.add(new Contact(givenName, familyName));
        return this;
    }

    public int size() {
        return contacts.size();
    }

    /** All contacts as text, in order. */
    public List<String> sorted() {
        List<Contact> copy = new ArrayList<>(contacts);
        copy.sort(new ByName());
        return copy.stream().map(Contact::toString).collect(Collectors.toList());
    }
}
