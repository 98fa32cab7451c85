//! What a tool does, and what a user asks for who needs it.

pub(super) const SPANISH: [(&str, &str); 20] = [
    (
        "Devuelve el pronóstico del tiempo de una ciudad para los próximos días.",
        "qué tiempo hará mañana en sevilla, el pronostico",
    ),
    (
        "Envía un correo electrónico a uno o varios destinatarios.",
        "manda un correo a mi jefe diciendo que estoy enfermo",
    ),
    (
        "Convierte una cantidad de una moneda a otra según el tipo de cambio.",
        "cuánto son 200 dólares en moneda europea, convertir",
    ),
    (
        "Reserva una habitación de hotel para las fechas indicadas.",
        "quiero reservar un hotel en madrid para dos noches",
    ),
    (
        "Indica dónde está un paquete a partir de su número de seguimiento.",
        "dónde está mi paquete",
    ),
    (
        "Crea una factura para un cliente.",
        "hacerle la factura al cliente",
    ),
    (
        "Programa un recordatorio a una hora determinada.",
        "ponme un recordatorio para llamar a mamá a las seis",
    ),
    (
        "Traduce un texto de un idioma a otro.",
        "traducir esto al inglés",
    ),
    (
        "Busca restaurantes y cafeterías cercanos.",
        "restaurantes cerca de aquí para cenar",
    ),
    (
        "Consulta las existencias de un producto en el almacén.",
        "quedan unidades de este producto en el almacen",
    ),
    (
        "Compra un billete de tren entre dos estaciones.",
        "billetes de tren a valencia",
    ),
    (
        "Resume el contenido de un documento largo.",
        "hazme un resumen de este documento",
    ),
    (
        "Cambia el tamaño de una imagen o la recorta.",
        "recortar imágenes",
    ),
    (
        "Transfiere dinero a otra cuenta bancaria.",
        "transferir dinero a la cuenta de mi hermana",
    ),
    (
        "Cancela una suscripción de pago.",
        "cancelar mi suscripcion a la música",
    ),
    (
        "Busca vuelos por fecha y destino.",
        "vuelos baratos a estambul en julio",
    ),
    (
        "Enciende y apaga las luces de la casa.",
        "apaga la luz de la cocina",
    ),
    (
        "Calcula la cuota mensual de un préstamo.",
        "cuánto pagaría al mes por un prestamo a cinco años",
    ),
    (
        "Encuentra sinónimos y la definición de una palabra.",
        "qué significa esta palabra, dime sinónimos",
    ),
    (
        "Añade una reunión al calendario e invita a los participantes.",
        "agenda una reunión con óscar el viernes",
    ),
];
